package io.parex.tensor;

/**
 * Element types, little endian in memory and on the wire. Codes are part of the protocol: 1-31 are the computed types,
 * 32 and above is room for those that are only carried (complex, float8).
 */
public enum DataType {
    BOOL(1, 1),
    UINT8(2, 1),
    INT8(3, 1),
    INT16(4, 2),
    INT32(5, 4),
    INT64(6, 8),
    FLOAT16(7, 2),
    BFLOAT16(8, 2),
    FLOAT32(9, 4),
    FLOAT64(10, 8);

    private final int code;
    private final int bytes;

    DataType(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    /** The number that stands for this type in frames. */
    public int code() {
        return code;
    }

    /** Size of one element in bytes. */
    public int bytes() {
        return bytes;
    }

    /** The name used on the command line and in messages, such as {@code float32}. */
    public String label() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}

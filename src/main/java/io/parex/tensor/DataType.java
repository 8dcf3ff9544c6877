package io.parex.tensor;

/**
 * Element types, little endian in memory and on the wire. Codes are part of the protocol: from 32 on are types that
 * have no order or are only carried. {@link Reductions} says what is computed.
 */
public enum DataType {
    /** One byte; any but 0 is true, and results are 0 or 1. */
    BOOL(1, 1),
    UINT8(2, 1),
    INT8(3, 1),
    INT16(4, 2),
    INT32(5, 4),
    INT64(6, 8),
    FLOAT16(7, 2),
    BFLOAT16(8, 2),
    FLOAT32(9, 4),
    FLOAT64(10, 8),
    /** Two float32, the real and the imaginary part. */
    COMPLEX64(32, 8),
    /** Two float64, the real and the imaginary part. */
    COMPLEX128(33, 16),
    /** 4 bits of exponent, 3 of mantissa. */
    FLOAT8_E4M3(34, 1),
    /** 5 bits of exponent, 2 of mantissa. */
    FLOAT8_E5M2(35, 1),
    UINT16(36, 2),
    UINT32(37, 4),
    UINT64(38, 8);

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

package io.parex.bench;

import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** One period of a {@link Pattern} as bytes: fills tensors and counts what differs from it. */
final class Elements {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment period;
    private final int width;

    /** The given values in the given type. */
    Elements(Arena arena, DataType type, long[] values) {
        width = type.bytes();
        period = arena.allocate((long) values.length * width, Long.BYTES);
        for (int i = 0; i < values.length; i++) {
            put(type, (long) i * width, values[i]);
        }
    }

    /** Writes the pattern from the tensor's first element to its last. */
    void fill(TensorView tensor) {
        MemorySegment target = tensor.segment();
        for (long at = 0; at < target.byteSize(); at += period.byteSize()) {
            long length = Math.min(period.byteSize(), target.byteSize() - at);
            MemorySegment.copy(period, 0, target, at, length);
        }
    }

    /** How many elements of the tensor are not the pattern's, bit for bit. */
    long wrong(TensorView tensor) {
        return wrong(tensor, 0);
    }

    /** As above, of a tensor that begins with element {@code from} of what the pattern fills. */
    long wrong(TensorView tensor, long from) {
        MemorySegment actual = tensor.segment();
        long wrong = 0;
        long offset = from * width % period.byteSize();
        for (long at = 0; at < actual.byteSize(); offset = 0) {
            long length = Math.min(period.byteSize() - offset, actual.byteSize() - at);
            if (differ(actual, at, offset, length)) {
                wrong += count(actual, at, offset, length);
            }
            at += length;
        }
        return wrong;
    }

    private long count(MemorySegment actual, long at, long offset, long length) {
        long wrong = 0;
        for (long done = 0; done < length; done += width) {
            if (differ(actual, at + done, offset + done, width)) {
                wrong++;
            }
        }
        return wrong;
    }

    private boolean differ(MemorySegment actual, long at, long offset, long length) {
        return MemorySegment.mismatch(actual, at, at + length, period, offset, offset + length) >= 0;
    }

    private void put(DataType type, long at, long value) {
        switch (type) {
            case BOOL, UINT8, INT8, FLOAT8_E4M3, FLOAT8_E5M2 -> period.set(ValueLayout.JAVA_BYTE, at, (byte) value);
            case INT16, UINT16 -> period.set(SHORT, at, (short) value);
            case INT32, UINT32 -> period.set(INT, at, (int) value);
            case INT64, UINT64 -> period.set(LONG, at, value);
            case FLOAT16 -> period.set(SHORT, at, Float.floatToFloat16(value));
            case BFLOAT16 -> period.set(SHORT, at, bfloat16(value));
            case FLOAT32 -> period.set(INT, at, Float.floatToIntBits(value));
            case FLOAT64 -> period.set(LONG, at, Double.doubleToLongBits(value));
            case COMPLEX64 -> {
                put(DataType.FLOAT32, at, value);
                put(DataType.FLOAT32, at + Float.BYTES, -value);
            }
            case COMPLEX128 -> {
                put(DataType.FLOAT64, at, value);
                put(DataType.FLOAT64, at + Double.BYTES, -value);
            }
        }
    }

    /** To nearest, ties to even. */
    private static short bfloat16(long value) {
        int bits = Float.floatToIntBits(value);
        return (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
    }
}

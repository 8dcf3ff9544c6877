package io.parex.tensor;

import java.lang.foreign.MemorySegment;

/**
 * Loops that finish averages of integers from their sums in int64, by multiplication: several times as fast as those of
 * {@link ScalarInt64} and its like, which divide, and equal to them. No vectors: they have no upper half of a product
 * of int64. Names and slices as there.
 */
final class Averages {
    private Averages() {}

    static Conversion finish(DataType type, int divisor) {
        Quotient quotient = Quotient.by(divisor);
        return switch (type) {
            case UINT8, INT8 -> (s, sAt, t, tAt, count) -> int8(s, sAt, t, tAt, count, quotient);
            case INT16 -> (s, sAt, t, tAt, count) -> int16(s, sAt, t, tAt, count, quotient);
            case INT32 -> (s, sAt, t, tAt, count) -> int32(s, sAt, t, tAt, count, quotient);
            case INT64 -> (s, sAt, t, tAt, count) -> int64(s, sAt, t, tAt, count, quotient);
            default -> throw KernelProvider.missing("finish", DataType.INT64, type);
        };
    }

    static void int8(MemorySegment s, long sAt, MemorySegment t, long tAt, long count, Quotient quotient) {
        MemorySegment x = s.asSlice(sAt, count * Long.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Byte.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT8, i, (byte) quotient.of(x.getAtIndex(Layouts.INT64, i)));
        }
    }

    static void int16(MemorySegment s, long sAt, MemorySegment t, long tAt, long count, Quotient quotient) {
        MemorySegment x = s.asSlice(sAt, count * Long.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Short.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT16, i, (short) quotient.of(x.getAtIndex(Layouts.INT64, i)));
        }
    }

    static void int32(MemorySegment s, long sAt, MemorySegment t, long tAt, long count, Quotient quotient) {
        MemorySegment x = s.asSlice(sAt, count * Long.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Integer.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT32, i, (int) quotient.of(x.getAtIndex(Layouts.INT64, i)));
        }
    }

    static void int64(MemorySegment s, long sAt, MemorySegment t, long tAt, long count, Quotient quotient) {
        MemorySegment x = s.asSlice(sAt, count * Long.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Long.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT64, i, quotient.of(x.getAtIndex(Layouts.INT64, i)));
        }
    }
}

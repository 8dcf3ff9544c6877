package io.parex.tensor;

import java.lang.foreign.MemorySegment;

/**
 * Reference loops for int8: sums and products wrap around.
 *
 * <p>Operands {@code a} and {@code b}, target {@code t}, each with the byte offset {@code ...At} of its first element.
 * Each loop runs on slices cut in its own method: that checks the bounds once, and lets C2 see what kind of segment it
 * has.
 */
final class ScalarInt8 {
    private ScalarInt8() {}

    static Kernel kernel(ReduceOp op) {
        return switch (op) {
            case SUM -> ScalarInt8::sum;
            case MIN -> ScalarInt8::min;
            case MAX -> ScalarInt8::max;
            case PRODUCT -> ScalarInt8::product;
            default -> throw KernelProvider.missing("combine", DataType.INT8, op);
        };
    }

    static void sum(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Byte.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Byte.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Byte.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT8, i, (byte) (x.getAtIndex(Layouts.INT8, i) + y.getAtIndex(Layouts.INT8, i)));
        }
    }

    static void min(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Byte.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Byte.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Byte.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(
                    Layouts.INT8, i, (byte) Math.min(x.getAtIndex(Layouts.INT8, i), y.getAtIndex(Layouts.INT8, i)));
        }
    }

    static void max(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Byte.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Byte.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Byte.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(
                    Layouts.INT8, i, (byte) Math.max(x.getAtIndex(Layouts.INT8, i), y.getAtIndex(Layouts.INT8, i)));
        }
    }

    static void product(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Byte.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Byte.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Byte.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT8, i, (byte) (x.getAtIndex(Layouts.INT8, i) * y.getAtIndex(Layouts.INT8, i)));
        }
    }

    /** To int64, in which averages are summed. */
    static void widen(MemorySegment s, long sAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = s.asSlice(sAt, count * Byte.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Long.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT64, i, x.getAtIndex(Layouts.INT8, i));
        }
    }

    /** From a sum in int64, divided and truncated toward zero; an average of int8 always fits. */
    static void finish(MemorySegment s, long sAt, MemorySegment t, long tAt, long count, int divisor) {
        MemorySegment x = s.asSlice(sAt, count * Long.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Byte.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT8, i, (byte) (x.getAtIndex(Layouts.INT64, i) / divisor));
        }
    }
}

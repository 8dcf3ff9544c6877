package io.parex.tensor;

import java.lang.foreign.MemorySegment;

/**
 * Reference loops for int32: sums and products wrap around.
 *
 * <p>Operands {@code a} and {@code b}, target {@code t}, each with the byte offset {@code ...At} of its first element.
 * Each loop runs on slices cut in its own method: that checks the bounds once, and lets C2 see what kind of segment it
 * has.
 */
final class ScalarInt32 {
    private ScalarInt32() {}

    static Kernel kernel(ReduceOp op) {
        return switch (op) {
            case SUM -> ScalarInt32::sum;
            case MIN -> ScalarInt32::min;
            case MAX -> ScalarInt32::max;
            case PRODUCT -> ScalarInt32::product;
            default -> throw KernelProvider.missing("combine", DataType.INT32, op);
        };
    }

    static void sum(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Integer.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Integer.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Integer.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT32, i, x.getAtIndex(Layouts.INT32, i) + y.getAtIndex(Layouts.INT32, i));
        }
    }

    static void min(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Integer.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Integer.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Integer.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT32, i, Math.min(x.getAtIndex(Layouts.INT32, i), y.getAtIndex(Layouts.INT32, i)));
        }
    }

    static void max(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Integer.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Integer.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Integer.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT32, i, Math.max(x.getAtIndex(Layouts.INT32, i), y.getAtIndex(Layouts.INT32, i)));
        }
    }

    static void product(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Integer.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Integer.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Integer.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT32, i, x.getAtIndex(Layouts.INT32, i) * y.getAtIndex(Layouts.INT32, i));
        }
    }

    /** To int64, in which averages are summed. */
    static void widen(MemorySegment s, long sAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = s.asSlice(sAt, count * Integer.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Long.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT64, i, x.getAtIndex(Layouts.INT32, i));
        }
    }

    /** From a sum in int64, divided and truncated toward zero; an average of int32 always fits. */
    static void finish(MemorySegment s, long sAt, MemorySegment t, long tAt, long count, int divisor) {
        MemorySegment x = s.asSlice(sAt, count * Long.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Integer.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT32, i, (int) (x.getAtIndex(Layouts.INT64, i) / divisor));
        }
    }
}

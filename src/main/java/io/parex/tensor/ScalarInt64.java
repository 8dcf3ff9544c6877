package io.parex.tensor;

import java.lang.foreign.MemorySegment;

/**
 * Reference loops for int64: sums and products wrap around.
 *
 * <p>Operands {@code a} and {@code b}, target {@code t}, each with the byte offset {@code ...At} of its first element.
 * Each loop runs on slices cut in its own method: that checks the bounds once, and lets C2 see what kind of segment it
 * has.
 */
final class ScalarInt64 {
    private ScalarInt64() {}

    static Kernel kernel(ReduceOp op) {
        return switch (op) {
            case SUM -> ScalarInt64::sum;
            case MIN -> ScalarInt64::min;
            case MAX -> ScalarInt64::max;
            case PRODUCT -> ScalarInt64::product;
            default -> throw KernelProvider.missing("combine", DataType.INT64, op);
        };
    }

    static void sum(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Long.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Long.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Long.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT64, i, x.getAtIndex(Layouts.INT64, i) + y.getAtIndex(Layouts.INT64, i));
        }
    }

    static void min(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Long.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Long.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Long.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT64, i, Math.min(x.getAtIndex(Layouts.INT64, i), y.getAtIndex(Layouts.INT64, i)));
        }
    }

    static void max(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Long.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Long.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Long.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT64, i, Math.max(x.getAtIndex(Layouts.INT64, i), y.getAtIndex(Layouts.INT64, i)));
        }
    }

    static void product(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Long.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Long.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Long.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT64, i, x.getAtIndex(Layouts.INT64, i) * y.getAtIndex(Layouts.INT64, i));
        }
    }

    /** Divides, truncating toward zero. */
    static void finish(MemorySegment s, long sAt, MemorySegment t, long tAt, long count, int divisor) {
        MemorySegment x = s.asSlice(sAt, count * Long.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Long.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT64, i, x.getAtIndex(Layouts.INT64, i) / divisor);
        }
    }
}

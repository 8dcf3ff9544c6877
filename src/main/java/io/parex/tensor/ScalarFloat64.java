package io.parex.tensor;

import java.lang.foreign.MemorySegment;

/**
 * Reference loops for float64: minimum and maximum are those of {@link Math}, NaN wins and -0 is below +0. What is
 * combined to no number becomes one and the same NaN.
 *
 * <p>Operands {@code a} and {@code b}, target {@code t}, each with the byte offset {@code ...At} of its first element.
 * Each loop runs on slices cut in its own method: that checks the bounds once, and lets C2 see what kind of segment it
 * has.
 */
final class ScalarFloat64 {
    private ScalarFloat64() {}

    static Kernel kernel(ReduceOp op) {
        return switch (op) {
            case SUM -> ScalarFloat64::sum;
            case MIN -> ScalarFloat64::min;
            case MAX -> ScalarFloat64::max;
            case PRODUCT -> ScalarFloat64::product;
            default -> throw KernelProvider.missing("combine", DataType.FLOAT64, op);
        };
    }

    static void sum(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Double.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Double.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Double.BYTES);
        for (long i = 0; i < count; i++) {
            store(z, i, x.getAtIndex(Layouts.FLOAT64, i) + y.getAtIndex(Layouts.FLOAT64, i));
        }
    }

    static void min(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Double.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Double.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Double.BYTES);
        for (long i = 0; i < count; i++) {
            store(z, i, Math.min(x.getAtIndex(Layouts.FLOAT64, i), y.getAtIndex(Layouts.FLOAT64, i)));
        }
    }

    static void max(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Double.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Double.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Double.BYTES);
        for (long i = 0; i < count; i++) {
            store(z, i, Math.max(x.getAtIndex(Layouts.FLOAT64, i), y.getAtIndex(Layouts.FLOAT64, i)));
        }
    }

    static void product(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Double.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Double.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Double.BYTES);
        for (long i = 0; i < count; i++) {
            store(z, i, x.getAtIndex(Layouts.FLOAT64, i) * y.getAtIndex(Layouts.FLOAT64, i));
        }
    }

    /** Divides, rounded once. */
    static void finish(MemorySegment s, long sAt, MemorySegment t, long tAt, long count, int divisor) {
        MemorySegment x = s.asSlice(sAt, count * Double.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Double.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.FLOAT64, i, x.getAtIndex(Layouts.FLOAT64, i) / divisor);
        }
    }

    /** Times a factor, rounded once. */
    static void scale(MemorySegment s, long sAt, MemorySegment t, long tAt, long count, double factor) {
        MemorySegment x = s.asSlice(sAt, count * Double.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Double.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.FLOAT64, i, x.getAtIndex(Layouts.FLOAT64, i) * factor);
        }
    }

    /** Of two NaN a processor gives one or the other, by how the code was compiled: here all are one and the same. */
    private static void store(MemorySegment target, long index, double value) {
        target.setAtIndex(Layouts.INT64, index, Double.doubleToLongBits(value));
    }
}

package io.parex.tensor;

import java.lang.foreign.MemorySegment;

/**
 * Reference loops for bfloat16: partial results are float32 where they are sums or products, rounded to bfloat16 once,
 * to nearest, ties to even; the least and greatest are values themselves. What is no number becomes one and the same
 * NaN.
 *
 * <p>Operands {@code a} and {@code b}, target {@code t}, each with the byte offset {@code ...At} of its first element.
 * Each loop runs on slices cut in its own method: that checks the bounds once, and lets C2 see what kind of segment it
 * has.
 */
final class ScalarBfloat16 {
    private static final short NAN = 0x7fc0;

    private ScalarBfloat16() {}

    static Kernel kernel(ReduceOp op) {
        return switch (op) {
            case MIN -> ScalarBfloat16::min;
            case MAX -> ScalarBfloat16::max;
            default -> throw KernelProvider.missing("combine", DataType.BFLOAT16, op);
        };
    }

    static void min(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Short.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Short.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Short.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(
                    Layouts.INT16,
                    i,
                    bits(Math.min(value(x.getAtIndex(Layouts.INT16, i)), value(y.getAtIndex(Layouts.INT16, i)))));
        }
    }

    static void max(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Short.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Short.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Short.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(
                    Layouts.INT16,
                    i,
                    bits(Math.max(value(x.getAtIndex(Layouts.INT16, i)), value(y.getAtIndex(Layouts.INT16, i)))));
        }
    }

    /** To float32, which holds every value. */
    static void widen(MemorySegment s, long sAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = s.asSlice(sAt, count * Short.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Float.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.FLOAT32, i, value(x.getAtIndex(Layouts.INT16, i)));
        }
    }

    /** To float32, times a factor, rounded to float32. */
    static void scale(MemorySegment s, long sAt, MemorySegment t, long tAt, long count, float factor) {
        MemorySegment x = s.asSlice(sAt, count * Short.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Float.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.FLOAT32, i, value(x.getAtIndex(Layouts.INT16, i)) * factor);
        }
    }

    /** From float32: divided, rounded to float32, and then to bfloat16. */
    static void finish(MemorySegment s, long sAt, MemorySegment t, long tAt, long count, int divisor) {
        MemorySegment x = s.asSlice(sAt, count * Float.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Short.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT16, i, bits(x.getAtIndex(Layouts.FLOAT32, i) / divisor));
        }
    }

    private static float value(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    /**
     * The upper half of a float32, plus one if the lower half says so; that carries into the exponent, up to infinity.
     */
    private static short bits(float value) {
        if (Float.isNaN(value)) {
            return NAN;
        }
        int bits = Float.floatToRawIntBits(value);
        int tie = bits >>> 16 & 1;
        return (short) (bits + 0x7fff + tie >>> 16);
    }
}

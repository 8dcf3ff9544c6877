package io.parex.tensor;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vector loops for float16, and between it and float32, equal to {@link ScalarFloat16}, which also does the last
 * elements that do not fill a vector. Names and slices as there.
 */
final class VectorFloat16 {
    private static final VectorSpecies<Short> SPECIES = ShortVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Short> HALVES =
            ShortVector.SPECIES_PREFERRED.withShape(VectorShape.forBitSize(FLOATS.vectorBitSize() / 2));
    private static final int LANES = FLOATS.length();
    private static final short INFINITY = 0x7c00;
    private static final short NAN = 0x7e00;

    /** The origins of the exponents are 127 and 15. */
    private static final float ORIGINS = 0x1p112f;

    private static final int SIGN = 0x80000000;
    private static final int FLOAT_INFINITY = 0x7f800000;
    private static final int HALF = Float.floatToRawIntBits(0.5f);
    private static final int LEAST_NORMAL = Float.floatToRawIntBits(0x1p-14f);
    private static final int TOO_LARGE = Float.floatToRawIntBits(0x1p16f);

    private VectorFloat16() {}

    static Kernel kernel(ReduceOp op) {
        return switch (op) {
            case MIN -> VectorFloat16::min;
            case MAX -> VectorFloat16::max;
            default -> throw KernelProvider.missing("combine", DataType.FLOAT16, op);
        };
    }

    static void min(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Short.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            VectorHalf.min(loadHalves(x, i), loadHalves(y, i), INFINITY, NAN).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarFloat16.min(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    static void max(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Short.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            VectorHalf.max(loadHalves(x, i), loadHalves(y, i), INFINITY, NAN).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarFloat16.max(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    /** To float32, which holds every value. */
    static void widen(MemorySegment s, long sAt, MemorySegment t, long tAt, long count) {
        long whole = FLOATS.loopBound(count);
        MemorySegment x = s.asSlice(sAt, whole * Short.BYTES);
        MemorySegment z = t.asSlice(tAt, whole * Float.BYTES);
        for (long i = 0; i < whole; i += LANES) {
            floats(x, i * Short.BYTES).intoMemorySegment(z, i * Float.BYTES, Layouts.ORDER);
        }
        ScalarFloat16.widen(s, sAt + whole * Short.BYTES, t, tAt + whole * Float.BYTES, count - whole);
    }

    /** To float32, times a factor, rounded to float32. */
    static void scale(MemorySegment s, long sAt, MemorySegment t, long tAt, long count, float factor) {
        long whole = FLOATS.loopBound(count);
        MemorySegment x = s.asSlice(sAt, whole * Short.BYTES);
        MemorySegment z = t.asSlice(tAt, whole * Float.BYTES);
        for (long i = 0; i < whole; i += LANES) {
            floats(x, i * Short.BYTES).mul(factor).intoMemorySegment(z, i * Float.BYTES, Layouts.ORDER);
        }
        ScalarFloat16.scale(s, sAt + whole * Short.BYTES, t, tAt + whole * Float.BYTES, count - whole, factor);
    }

    /** From float32, rounded once. */
    static void round(MemorySegment s, long sAt, MemorySegment t, long tAt, long count) {
        long whole = FLOATS.loopBound(count);
        MemorySegment x = s.asSlice(sAt, whole * Float.BYTES);
        MemorySegment z = t.asSlice(tAt, whole * Short.BYTES);
        for (long i = 0; i < whole; i += LANES) {
            halves(load(x, i * Float.BYTES)).intoMemorySegment(z, i * Short.BYTES, Layouts.ORDER);
        }
        long rest = count - whole;
        ScalarFloat16.finish(s, sAt + whole * Float.BYTES, t, tAt + whole * Short.BYTES, rest, 1);
    }

    /** From float32: divided, rounded to float32, and then to float16. */
    static void average(MemorySegment s, long sAt, MemorySegment t, long tAt, long count, int divisor) {
        long whole = FLOATS.loopBound(count);
        MemorySegment x = s.asSlice(sAt, whole * Float.BYTES);
        MemorySegment z = t.asSlice(tAt, whole * Short.BYTES);
        for (long i = 0; i < whole; i += LANES) {
            halves(load(x, i * Float.BYTES).div(divisor)).intoMemorySegment(z, i * Short.BYTES, Layouts.ORDER);
        }
        long rest = count - whole;
        ScalarFloat16.finish(s, sAt + whole * Float.BYTES, t, tAt + whole * Short.BYTES, rest, divisor);
    }

    /**
     * The bits where float32 has them, which are a number too small by the difference of the exponents' origins;
     * multiplying by it makes subnormal values normal as well. Infinity and NaN need their exponent put in.
     */
    private static FloatVector floats(MemorySegment segment, long offset) {
        IntVector bits = ShortVector.fromMemorySegment(HALVES, segment, offset, Layouts.ORDER)
                .convertShape(VectorOperators.S2I, INTS, 0)
                .reinterpretAsInts();
        IntVector magnitude = bits.and(0x7fff);
        IntVector finite = magnitude
                .lanewise(VectorOperators.LSHL, 13)
                .reinterpretAsFloats()
                .mul(ORIGINS)
                .reinterpretAsInts();
        VectorMask<Integer> special = magnitude.compare(VectorOperators.GE, INFINITY);
        return finite.lanewise(VectorOperators.OR, FLOAT_INFINITY, special)
                .or(bits.and(SIGN))
                .reinterpretAsFloats();
    }

    /**
     * Normal results round as integers, the carry going into the exponent, up to infinity. Subnormal ones are rounded
     * by adding 0.5, whose last place is theirs.
     */
    private static ShortVector halves(FloatVector values) {
        IntVector bits = values.reinterpretAsInts();
        IntVector magnitude = bits.and(Integer.MAX_VALUE);
        IntVector ties = magnitude.lanewise(VectorOperators.LSHR, 13).and(1);
        IntVector normal = magnitude.add(0xfff - (112 << 23)).add(ties).lanewise(VectorOperators.LSHR, 13);
        IntVector subnormal =
                magnitude.reinterpretAsFloats().add(0.5f).reinterpretAsInts().sub(HALF);
        IntVector rounded = normal.blend(subnormal, magnitude.compare(VectorOperators.LT, LEAST_NORMAL))
                .blend(INFINITY, magnitude.compare(VectorOperators.GE, TOO_LARGE))
                .or(bits.and(SIGN).lanewise(VectorOperators.LSHR, 16))
                .blend(NAN, magnitude.compare(VectorOperators.GT, FLOAT_INFINITY));
        return (ShortVector) rounded.convertShape(VectorOperators.I2S, HALVES, 0);
    }

    private static ShortVector loadHalves(MemorySegment segment, long offset) {
        return ShortVector.fromMemorySegment(SPECIES, segment, offset, Layouts.ORDER);
    }

    private static FloatVector load(MemorySegment segment, long offset) {
        return FloatVector.fromMemorySegment(FLOATS, segment, offset, Layouts.ORDER);
    }
}

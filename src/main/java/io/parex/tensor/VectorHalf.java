package io.parex.tensor;

import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * The least and greatest of vectors of halves by their bits, for float16 and bfloat16 alike: they differ in where
 * infinity lies. -0 is below +0, and a NaN on either side gives {@code nan}.
 */
final class VectorHalf {
    private static final short MAGNITUDE = Short.MAX_VALUE;

    private VectorHalf() {}

    static ShortVector min(ShortVector a, ShortVector b, short infinity, short nan) {
        return ordered(ordered(a).min(ordered(b))).blend(nan, isNan(a, infinity).or(isNan(b, infinity)));
    }

    static ShortVector max(ShortVector a, ShortVector b, short infinity, short nan) {
        return ordered(ordered(a).max(ordered(b))).blend(nan, isNan(a, infinity).or(isNan(b, infinity)));
    }

    /** Bits of a half, sign and magnitude, as integers of the same order, and those back as bits. */
    private static ShortVector ordered(ShortVector halves) {
        ShortVector signs = halves.lanewise(VectorOperators.ASHR, Short.SIZE - 1);
        return halves.lanewise(VectorOperators.XOR, signs.and(MAGNITUDE));
    }

    private static VectorMask<Short> isNan(ShortVector halves, short infinity) {
        return halves.and(MAGNITUDE).compare(VectorOperators.GT, infinity);
    }
}

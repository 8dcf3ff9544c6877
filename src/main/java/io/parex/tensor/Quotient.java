package io.parex.tensor;

import java.math.BigInteger;

/**
 * Division of any int64 by one positive int32, truncating toward zero, as a multiplication. Exact: Granlund and
 * Montgomery, "Division by Invariant Integers using Multiplication", 1994, figure 5.2. Immutable.
 *
 * @param multiplier lower 64 bits of the reciprocal, scaled so that its bit above them is 1
 * @param shift what undoes the scale, beside 64
 */
record Quotient(long multiplier, int shift) {

    static Quotient by(int divisor) {
        int bits = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(divisor - 1));
        BigInteger scaled = BigInteger.TWO.pow(Long.SIZE - 1 + bits).divide(BigInteger.valueOf(divisor));
        return new Quotient(scaled.add(BigInteger.ONE).longValue(), bits - 1);
    }

    long of(long dividend) {
        // The product with the bit above is the dividend itself; what is subtracted is -1 for negative ones.
        return (dividend + Math.multiplyHigh(multiplier, dividend) >> shift) - (dividend >> Long.SIZE - 1);
    }
}

package io.parex.bench.verify;

import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/**
 * What ranks give: bytes that look random, the same ones for the same seed. Where numbers are computed with they are
 * such that every wrong order, place or count shows: integers are any, as they wrap; floating ones are small and exact,
 * or, to be rounded, of a full mantissa; least and greatest are sought among all there are.
 */
final class Inputs {
    private static final double[] SPECIAL = {0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    private static final double[] FACTORS = {0.5, 1, 2, -0.5, -1, -2};

    /** One of so many elements is a special one. */
    private static final int SPECIAL_EVERY = 11;

    /** Exact sums are of whole numbers up to this. */
    private static final int SMALL = 8;

    private Inputs() {}

    /** Fills {@code memory} with what a rank gives. */
    static void fill(MemorySegment memory, Check check, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        DataType type = check.type();
        ReduceOp op = check.cell().op();
        bytes(memory, random);
        if (op == null || check.form() == Form.REFUSED) {
            return;
        }
        if (!Numbers.isFloating(type)) {
            integers(memory, type, op);
            return;
        }
        DataType part = Numbers.part(type);
        long count = memory.byteSize() / part.bytes();
        for (long i = 0; i < count; i++) {
            if (op != ReduceOp.MIN && op != ReduceOp.MAX) {
                Numbers.put(part, memory, i, number(part, op, check.rounded(), random));
            } else if (random.nextInt(SPECIAL_EVERY) == 0) {
                Numbers.put(part, memory, i, SPECIAL[random.nextInt(SPECIAL.length)]);
            }
        }
    }

    private static void bytes(MemorySegment memory, SplittableRandom random) {
        long at = 0;
        for (; at <= memory.byteSize() - Long.BYTES; at += Long.BYTES) {
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, random.nextLong());
        }
        for (; at < memory.byteSize(); at++) {
            memory.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
        }
    }

    /** Any bits; false half of the time; of a product mostly odd, as others soon leave nothing but zeros. */
    private static void integers(MemorySegment memory, DataType type, ReduceOp op) {
        for (long at = 0; at < memory.byteSize(); at += type.bytes()) {
            byte low = memory.get(ValueLayout.JAVA_BYTE, at);
            if (type == DataType.BOOL) {
                memory.set(ValueLayout.JAVA_BYTE, at, (low & 1) == 0 ? 0 : low);
            } else if (op == ReduceOp.PRODUCT && low % 5 != 0) {
                memory.set(ValueLayout.JAVA_BYTE, at, (byte) (low | 1));
            }
        }
    }

    private static double number(DataType part, ReduceOp op, boolean rounded, SplittableRandom random) {
        boolean product = op == ReduceOp.PRODUCT;
        if (!rounded) {
            return product ? FACTORS[random.nextInt(FACTORS.length)] : random.nextInt(-SMALL, SMALL);
        }
        long leading = 1L << Numbers.precision(part) - 1;
        double mantissa = 1 + random.nextLong(leading) / (double) leading;
        // Products stay near 1, sums are of values of different sizes.
        return Math.scalb(
                random.nextBoolean() ? mantissa : -mantissa, random.nextInt(product ? -1 : -6, product ? 1 : 6));
    }
}

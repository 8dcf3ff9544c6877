package io.parex.bench;

import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;

/**
 * The values that ranks put in: small integers, so small that every result is exact in every type in whatever order it
 * is computed. They look random, which shows a value in the wrong place, and repeat after a prime number of elements,
 * which no chunk or segment is a multiple of.
 */
final class Pattern {
    /** Elements until it repeats; a prime. */
    static final int PERIOD = 8191;

    private static final int VALUES = 8;

    /** Ranks from here on give ones to a product, which then stays below 2^30. */
    private static final int MULTIPLYING_RANKS = 30;

    private Pattern() {}

    /**
     * What a rank gives, one period of it.
     *
     * @param op the reduction it is for, or null
     */
    static long[] input(int rank, int ranks, DataType type, ReduceOp op) {
        long[] values = new long[PERIOD];
        for (int i = 0; i < PERIOD; i++) {
            long random = mix(((long) rank << 32) + i);
            if (type == DataType.BOOL) {
                values[i] = random & 1;
            } else if (op == ReduceOp.PRODUCT) {
                values[i] = rank < MULTIPLYING_RANKS ? 1 + (random & 1) : 1;
            } else if (op == ReduceOp.AVG) {
                values[i] = averaged(rank, ranks, i);
            } else {
                values[i] = random % VALUES;
            }
        }
        return values;
    }

    /** Small with a whole average: each two ranks are above and below what all have in common by as much. */
    private static long averaged(int rank, int ranks, int index) {
        long common = VALUES + mix(index) % VALUES;
        int pair = rank / 2;
        boolean unpaired = 2 * pair + 1 == ranks;
        long difference = unpaired ? 0 : mix((pair + 1L << 32) + index) % VALUES;
        return rank % 2 == 0 ? common + difference : common - difference;
    }

    /** What all ranks must get from a reduction of {@link #input}, one period of it. */
    static long[] reduced(int ranks, DataType type, ReduceOp op) {
        long[] result = input(0, ranks, type, op);
        for (int rank = 1; rank < ranks; rank++) {
            long[] next = input(rank, ranks, type, op);
            for (int i = 0; i < PERIOD; i++) {
                result[i] = combine(type, op, result[i], next[i]);
            }
        }
        for (int i = 0; i < PERIOD; i++) {
            result[i] = finished(op, result[i], ranks);
        }
        return result;
    }

    private static long finished(ReduceOp op, long value, int ranks) {
        return switch (op) {
            case AVG -> value / ranks;
            case PREMUL_SUM -> (long) (value * CallShape.FACTOR);
            default -> value;
        };
    }

    private static long combine(DataType type, ReduceOp op, long left, long right) {
        return switch (op) {
            case SUM -> type == DataType.BOOL ? left | right : left + right;
            case AVG, PREMUL_SUM -> left + right;
            case MIN -> Math.min(left, right);
            case MAX -> Math.max(left, right);
            case PRODUCT -> left * right;
            case BAND -> left & right;
            case BOR -> left | right;
            case BXOR -> left ^ right;
        };
    }

    /** The output function of SplitMix64, without the sign. */
    private static long mix(long seed) {
        long z = (seed + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return (z ^ (z >>> 31)) >>> 1;
    }
}

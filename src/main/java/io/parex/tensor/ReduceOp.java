package io.parex.tensor;

/** Reduction operations. Which of them a {@link DataType} supports, {@link Reductions} says. */
public enum ReduceOp {
    /** Sum; integers wrap around; of bool, whether any is true. */
    SUM(1),
    /** Sum divided once by the number of ranks; integers are summed in int64 and truncated toward zero, once. */
    AVG(2),
    /** Least value; a NaN on any rank gives NaN. */
    MIN(3),
    /** Greatest value; a NaN on any rank gives NaN. */
    MAX(4),
    /** Product; integers wrap around; of bool, whether all are true. */
    PRODUCT(5),
    /** Bitwise and. */
    BAND(6),
    /** Bitwise or. */
    BOR(7),
    /** Bitwise exclusive or. */
    BXOR(8),
    /**
     * Sum of each value times a factor that all ranks give alike. Each product is rounded once to the accumulator's
     * type. Not for integers, for which it would have to be said how a product with a fraction is rounded.
     */
    PREMUL_SUM(9);

    private final int code;

    ReduceOp(int code) {
        this.code = code;
    }

    /** The number that stands for this operation in frames. */
    public int code() {
        return code;
    }

    /** Whether this works on the bits of integers, whatever they mean. */
    boolean isBitwise() {
        return this == BAND || this == BOR || this == BXOR;
    }

    /** The name used on the command line and in messages, such as {@code sum}. */
    public String label() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}

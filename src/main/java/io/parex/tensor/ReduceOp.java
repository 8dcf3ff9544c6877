package io.parex.tensor;

/** Reduction operations. Which of them a {@link DataType} supports, {@link Reductions} says. */
public enum ReduceOp {
    /** Sum; integers wrap around. */
    SUM(1),
    /** Sum divided once by the number of ranks; integers accumulate in int64 and truncate toward zero. */
    AVG(2),
    /** Least value; a NaN on any rank gives NaN. */
    MIN(3),
    /** Greatest value; a NaN on any rank gives NaN. */
    MAX(4),
    /** Product; integers wrap around. */
    PRODUCT(5),
    /** Bitwise and. */
    BAND(6),
    /** Bitwise or. */
    BOR(7),
    /** Bitwise exclusive or. */
    BXOR(8);

    private final int code;

    ReduceOp(int code) {
        this.code = code;
    }

    /** The number that stands for this operation in frames. */
    public int code() {
        return code;
    }

    /** The name used on the command line and in messages, such as {@code sum}. */
    public String label() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}

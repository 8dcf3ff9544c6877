package io.parex.tensor;

/** One implementation of all kernels. Instances are stateless; any thread. */
interface KernelProvider {

    /** What this is, for logs and diagnosis, such as {@code vector, 512 bit}. */
    String description();

    /**
     * The kernel that combines two runs of {@code type} by {@code op}; never asked for AVG, which is SUM and a
     * division, nor for PREMUL_SUM, which is a multiplication and SUM.
     */
    Kernel kernel(DataType type, ReduceOp op);

    /**
     * Values of {@code type} to partial results of {@code partial}, which may be the same type where not every value is
     * a partial result: any byte but 0 is a true bool, but 1 is what it counts as.
     */
    Conversion widen(DataType type, DataType partial);

    /** Values of {@code type}, times {@code factor}, to partial results of {@code partial}. */
    Conversion scale(DataType type, DataType partial, double factor);

    /** Partial results of {@code partial}, divided by {@code divisor} (at least 1), to values of {@code type}. */
    Conversion finish(DataType partial, DataType type, int divisor);

    /** The bitwise operation that an arithmetic one is for truth values, which are 0 or 1. */
    static ReduceOp ofTruth(ReduceOp op) {
        return switch (op) {
            case SUM, MAX -> ReduceOp.BOR;
            case PRODUCT, MIN -> ReduceOp.BAND;
            default -> throw missing("combine", DataType.BOOL, op);
        };
    }

    /** A kernel of single bytes for elements of {@code width} bytes. */
    static Kernel ofBytes(Kernel kernel, int width) {
        return (a, aAt, b, bAt, t, tAt, count) -> kernel.apply(a, aAt, b, bAt, t, tAt, count * width);
    }

    /** A kernel of real numbers for complex ones, which are pairs of them. */
    static Kernel ofPairs(Kernel kernel) {
        return (a, aAt, b, bAt, t, tAt, count) -> kernel.apply(a, aAt, b, bAt, t, tAt, 2 * count);
    }

    /** A conversion of real numbers for complex ones, which are pairs of them. */
    static Conversion ofPairs(Conversion conversion) {
        return (s, sAt, t, tAt, count) -> conversion.apply(s, sAt, t, tAt, 2 * count);
    }

    /** The fault of asking for what no provider has; {@link Reductions} refuses such calls before. */
    static IllegalArgumentException missing(String what, Object from, Object to) {
        return new IllegalArgumentException("no kernel: " + what + " of " + from + " and " + to);
    }
}

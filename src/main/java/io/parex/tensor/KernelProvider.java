package io.parex.tensor;

/** One implementation of all kernels. Instances are stateless; any thread. */
interface KernelProvider {

    /** What this is, for logs and diagnosis, such as {@code vector, 512 bit}. */
    String description();

    /**
     * The kernel that combines two runs of {@code type} by {@code op}; never asked for AVG, which is SUM and a
     * division.
     */
    Kernel kernel(DataType type, ReduceOp op);

    /** Values of {@code type} to partial results of {@code partial}. */
    Conversion widen(DataType type, DataType partial);

    /** Partial results of {@code partial}, divided by {@code divisor} (at least 1), to values of {@code type}. */
    Conversion finish(DataType partial, DataType type, int divisor);

    /** The fault of asking for what no provider has; {@link Reductions} refuses such calls before. */
    static IllegalArgumentException missing(String what, Object from, Object to) {
        return new IllegalArgumentException("no kernel: " + what + " of " + from + " and " + to);
    }
}

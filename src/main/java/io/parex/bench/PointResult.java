package io.parex.bench;

import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;

/**
 * One measured point.
 *
 * @param series the table it belongs to
 * @param algorithm what ran, {@code direct} for point-to-point operations
 * @param root of what has one, else -1
 * @param inPlace whether the output was the input
 * @param type element type, null without elements
 * @param op reduction, null without one
 * @param count elements of the larger side's buffer
 * @param ranks ranks of the world
 * @param figures what was measured
 */
public record PointResult(
        Series series,
        String algorithm,
        int root,
        boolean inPlace,
        DataType type,
        ReduceOp op,
        long count,
        int ranks,
        Figures figures) {

    /** Size of the larger side's buffer in bytes. */
    public long bytes() {
        return type == null ? 0 : count * type.bytes();
    }

    /** Such as {@code float32}, or {@code none}. */
    public String typeLabel() {
        return type == null ? "none" : type.label();
    }

    /** Such as {@code sum}, or {@code none}. */
    public String opLabel() {
        return op == null ? "none" : op.label();
    }

    /** Bytes over time, in 10^9 bytes a second. */
    public double algbwGbs() {
        return bytes() / figures.meanNanos();
    }

    /** What each link carried at least, in 10^9 bytes a second: algbw times the factor of nccl-tests. */
    public double busbwGbs() {
        return algbwGbs() * series.primitive().busFactor(ranks);
    }
}

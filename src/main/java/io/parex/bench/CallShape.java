package io.parex.bench;

import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;

/**
 * What all calls of a run have in common; each primitive takes what applies to it.
 *
 * @param type element type
 * @param op reduction of what reduces
 * @param root of what has one
 * @param inPlace whether input and output share memory where they can
 */
public record CallShape(DataType type, ReduceOp op, int root, boolean inPlace) {
    /** Of a premultiplied sum: so that results are exact in every type that has one. */
    static final double FACTOR = 2;

    /** The factor that the reduction takes, 1 if it takes none. */
    double factor() {
        return op == ReduceOp.PREMUL_SUM ? FACTOR : 1;
    }
}

package io.parex.bench.verify;

import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;

/**
 * A cell of the product of what there is.
 *
 * @param primitive what is called, or its v-form
 * @param algorithm its name; {@link #AUTO} where the planner chooses; {@link #DIRECT} for messages, which have none
 * @param type element type; null for a barrier
 * @param op reduction, null where nothing is reduced
 */
public record Cell(Primitive primitive, String algorithm, DataType type, ReduceOp op) {
    /** The planner's choice. */
    public static final String AUTO = "auto";

    static final String DIRECT = "direct";

    /** Whether a call is to name the algorithm. */
    boolean isNamed() {
        return primitive.isCollective() && !algorithm.equals(AUTO);
    }

    /** Such as {@code all_reduce/ring/float32/sum}. */
    @Override
    public String toString() {
        return primitive.label() + "/" + algorithm + (type == null ? "" : "/" + type.label())
                + (op == null ? "" : "/" + op.label());
    }
}

package io.parex.world;

import io.parex.tensor.DataType;
import io.parex.tensor.Reduction;

/**
 * How a call combines values.
 *
 * @param type type of the tensor
 * @param reduction the operation for it
 */
record Reducing(DataType type, Reduction reduction) {

    /** Bytes of a partial or of a final element. */
    int width(boolean partial) {
        return partial ? reduction.partialType().bytes() : type.bytes();
    }
}

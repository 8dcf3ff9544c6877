package io.parex.bench;

import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;

/**
 * What all calls of a run have in common; each primitive takes what applies to it.
 *
 * @param type element type
 * @param op reduction of an all_reduce
 * @param root rank that a broadcast starts from
 * @param inPlace whether an all_reduce gets the same tensor as input and output
 */
public record CallShape(DataType type, ReduceOp op, int root, boolean inPlace) {}

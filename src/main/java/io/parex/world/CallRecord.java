package io.parex.world;

import io.parex.ErrorKind;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;

/**
 * One operation of one rank, ended.
 *
 * @param rank rank in the world
 * @param group name of the group
 * @param number number of the call on the group, -1 for point-to-point operations
 * @param primitive what was called
 * @param algorithm algorithm of a collective, {@code direct} for point-to-point operations
 * @param type element type, null without elements
 * @param op reduction, null without one
 * @param bytes size of the larger side's tensor, of all ranks together where each has a block of it and knows the
 *     others
 * @param size ranks of the group
 * @param durationNanos from submission to completion
 * @param waitNanos of that, the time until every peer that this rank needed had called
 * @param outcome null if it ended well
 */
public record CallRecord(
        int rank,
        String group,
        long number,
        Primitive primitive,
        String algorithm,
        DataType type,
        ReduceOp op,
        long bytes,
        int size,
        long durationNanos,
        long waitNanos,
        ErrorKind outcome) {}

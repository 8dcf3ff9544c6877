package io.parex.algorithm;

/**
 * What an algorithm is asked to schedule; everything is equal on all ranks but {@code rank} and {@code inPlace}.
 *
 * @param rank this rank in its group
 * @param size ranks of the group, 1 or more
 * @param count elements of the whole tensor, 0 or more
 * @param root group rank of the root, 0 for rootless primitives
 * @param inPlace whether input and output are the same memory on this rank
 */
public record Problem(int rank, int size, long count, int root, boolean inPlace) {}

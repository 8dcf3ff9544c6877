package io.parex.world;

/**
 * A group on one rank from one recovery to the next.
 *
 * @param group its calls and messages
 * @param round the recovery with which it began, 0 for none
 */
record Epoch(GroupCore group, long round) {}

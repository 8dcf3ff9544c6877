package io.parex.world;

import io.parex.schedule.Placement;

/**
 * A group on one rank from one recovery to the next.
 *
 * @param group its calls and messages
 * @param number sum of the generations of all members with which it began; 0 until all are known
 * @param round the recovery with which it began, 0 for none
 * @param since the first of the epochs between which and this one nobody has called anything, so that callers who were
 *     told of any of them need not know of a later one
 * @param placement of the members; unknown until all are
 */
record Epoch(GroupCore group, long number, long round, Start since, Placement placement) {

    /** The number and the round of an epoch. */
    record Start(long number, long round) {}

    /** Whether a caller who was told of an epoch of this number need not know of a later one than this. */
    boolean isNumber(long said) {
        return said >= since.number && said <= number;
    }

    /** The same for the round. */
    boolean isRound(long said) {
        return said >= since.round && said <= round;
    }
}

package io.parex.algorithm;

import io.parex.schedule.Ring;

/**
 * Where a rank sits in a ring of some ranks.
 *
 * @param size ranks of the ring
 * @param left rank before it
 * @param right rank after it
 */
record RingSeat(int size, int left, int right) {

    /** The seat of a rank in the ring of all ranks. */
    static RingSeat of(int size, int rank) {
        Ring ring = new Ring(size);
        return new RingSeat(size, ring.left(rank), ring.right(rank));
    }
}

package io.parex.bench;

import io.parex.world.Work;

/** send_recv: every rank sends to its right neighbour and receives from its left one at once. */
final class RingShiftWorkload extends MessageWorkload {
    private final int ranks;

    /** Of {@code count} elements. */
    RingShiftWorkload(Setup setup, long count) {
        super(setup, count, setup.ranks());
        ranks = setup.ranks();
    }

    @Override
    public Traits traits() {
        return Traits.ofAll(ranks, true, false);
    }

    @Override
    public Work start(int rank, long index) {
        return shift(rank);
    }
}

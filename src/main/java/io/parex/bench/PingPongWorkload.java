package io.parex.bench;

import io.parex.world.Work;

/**
 * send and recv: a message from rank 0 to rank 1 and another back. Of two calls of a rank one sends and one receives,
 * so that the mean per call is the time of a message one way, as osu_latency has it.
 */
final class PingPongWorkload extends MessageWorkload {
    private static final int PARTNERS = 2;

    /** Of {@code count} elements each way. */
    PingPongWorkload(Setup setup, long count) {
        super(setup, count, PARTNERS);
    }

    @Override
    public Traits traits() {
        return new Traits(PARTNERS, 2, true, false, false);
    }

    @Override
    public Work start(int rank, long index) {
        boolean sends = (index & 1) == rank;
        return sends ? send(rank) : receive(rank);
    }
}

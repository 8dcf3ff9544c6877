package io.parex.bench;

import io.parex.world.Work;
import java.util.function.IntFunction;

/** barrier: nobody leaves before the last has come. */
final class BarrierWorkload implements Workload {
    private final int ranks;
    private final IntFunction<Work> barrier;

    /** Of all ranks; {@code barrier} is how a rank calls it. */
    BarrierWorkload(int ranks, IntFunction<Work> barrier) {
        this.ranks = ranks;
        this.barrier = barrier;
    }

    @Override
    public Traits traits() {
        return new Traits(ranks, 1, true, false, true);
    }

    @Override
    public void prepare() {
        // there is no data
    }

    @Override
    public Work start(int rank, long index) {
        return barrier.apply(rank);
    }

    @Override
    public long wrong() {
        return 0;
    }
}

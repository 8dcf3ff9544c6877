package io.parex.bench;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.world.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** barrier: nobody leaves before the last has come. */
final class BarrierWorkload implements Workload {
    /** How long the last rank lets the others wait: plenty for one that would not. */
    private static final Duration LATE = Duration.ofMillis(1);

    private final int ranks;
    private final IntFunction<Work> barrier;

    /** Of all ranks; {@code barrier} is how a rank calls it. */
    BarrierWorkload(int ranks, IntFunction<Work> barrier) {
        this.ranks = ranks;
        this.barrier = barrier;
    }

    @Override
    public int ranks() {
        return ranks;
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

    /** Counts the ranks that left before the last had come. */
    @Override
    public long verify(Duration limit) {
        List<Work> works = new ArrayList<>();
        for (int rank = 0; rank < ranks - 1; rank++) {
            works.add(start(rank, 0));
        }
        long wrong = works.stream().filter(BarrierWorkload::leavesSoon).count();
        works.add(start(ranks - 1, 0));
        works.forEach(work -> work.await(limit));
        return wrong;
    }

    private static boolean leavesSoon(Work work) {
        try {
            work.await(LATE);
            return true;
        } catch (ParexException e) {
            if (e.kind() == ErrorKind.TIMEOUT) {
                return work.isDone();
            }
            throw e;
        }
    }
}

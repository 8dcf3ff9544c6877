package io.parex.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import io.parex.world.CallOptions;
import io.parex.world.LocalWorld;
import io.parex.world.Work;
import io.parex.world.WorldOptions;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BarrierWorkloadTest {
    private static final int RANKS = 3;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Test
    void shouldFindNothingWrongWithABarrier() {
        try (LocalWorld world = LocalWorld.start(RANKS, WorldOptions.DEFAULT)) {
            Workload barrier =
                    new BarrierWorkload(RANKS, rank -> world.rank(rank).group().barrier(CallOptions.DEFAULT));
            assertEquals(0, Verification.of(point(barrier), LIMIT));
        }
    }

    @Test
    void shouldCountRanksThatDoNotWaitForTheLast() {
        TensorView nothing = TensorView.of(MemorySegment.ofArray(new byte[0]), DataType.UINT8);
        try (LocalWorld world = LocalWorld.start(RANKS, WorldOptions.DEFAULT)) {
            Workload noBarrier = new BarrierWorkload(RANKS, rank -> {
                world.rank(rank)
                        .group()
                        .isend(nothing, rank, 0, CallOptions.DEFAULT)
                        .await(LIMIT);
                Work over = world.rank(rank).group().irecv(nothing, rank, 0, CallOptions.DEFAULT);
                over.await(LIMIT);
                return over;
            });
            assertEquals(RANKS - 1, Verification.of(point(noBarrier), LIMIT));
        }
    }

    private static Point point(Workload workload) {
        return new LocalPoint(workload, null, new CallTap());
    }
}

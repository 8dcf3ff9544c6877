package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The contract of barrier: nobody leaves before the last has called, and then everybody does. */
class BarrierContractTest {
    static final List<Integer> SIZES = List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17);

    @ParameterizedTest
    @FieldSource("SIZES")
    void shouldHoldEveryRankUntilTheLastHasCalled(int size) {
        for (Harness.Factory factory : List.of(Harness.Factory.CALM, Harness.Factory.ROUGH)) {
            try (Harness world = factory.start(size)) {
                for (int last = 0; last < size; last++) {
                    check(world, last);
                }
            }
        }
    }

    private static void check(Harness world, int last) {
        List<Work> early = new ArrayList<>();
        for (int rank = 0; rank < world.size(); rank++) {
            if (rank != last) {
                early.add(world.group(rank).barrier(CallOptions.DEFAULT));
            }
        }
        world.pass(Duration.ofSeconds(3));
        assertTrue(early.stream().noneMatch(Work::isDone), "somebody did not wait for rank " + last);
        world.await(world.group(last).barrier(CallOptions.DEFAULT));
        world.succeed(early);
    }

    @OnEveryTransport
    void shouldKeepManyBarriersApart(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            List<Work> works = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                works.add(world.group(0).barrier(CallOptions.DEFAULT));
                works.add(world.group(1).barrier(CallOptions.DEFAULT));
            }
            world.pass(Duration.ofMillis(50));
            assertTrue(works.stream().noneMatch(Work::isDone));
            List<Work> last = new ArrayList<>();
            for (int i = 0; i < 99; i++) {
                last.add(world.group(2).barrier(CallOptions.DEFAULT));
            }
            world.succeed(last);
            world.succeed(works.subList(0, 198));
            world.pass(Duration.ofMillis(50));
            assertEquals(2, works.stream().filter(work -> !work.isDone()).count());
            world.await(world.group(2).barrier(CallOptions.DEFAULT));
            world.succeed(works);
        }
    }
}

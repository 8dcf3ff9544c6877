package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.simulator.Simulation;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Calls ended by somebody else on the same rank. */
class AbortTest {

    @OnEveryTransport
    void shouldEndTheCallOnEveryRankAtOnce(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            Work zero = sum(world, 0, 1000);
            Work one = sum(world, 1, 1000);
            world.pass(Duration.ofMillis(20));
            world.group(0).abort("operator says stop");
            String text = world.failure(ErrorKind.ABORTED, zero);
            assertTrue(text.startsWith("aborted by rank 0: operator says stop [rank 0 of group world, call #0 "), text);
            String told = world.failure(ErrorKind.ABORTED, one);
            assertTrue(told.startsWith("aborted by rank 0: operator says stop [rank 1 of group world, call #0 "), told);
            world.pass(Duration.ofMillis(200));
            world.failure(ErrorKind.ABORTED, sum(world, 2, 1000));
            world.assertUsable();
        }
    }

    @Test
    void shouldEndTheCallWithinASecondWheneverItComes() {
        Random random = new Random(83);
        try (Harness world = new SimulatedHarness(3, WorldOptions.DEFAULT, 83, Simulation.Weather.ROUGH)) {
            for (int round = 0; round < 200; round++) {
                int count = round % 3 == 0 ? 100_000 : 1000;
                List<Work> blocked = List.of(sum(world, 0, count), sum(world, 1, count));
                world.pass(Duration.ofNanos(random.nextInt(20_000_000)));
                long start = world.nanoTime();
                world.group(0).abort("round " + round);
                world.group(0).abort("again");
                for (Work work : blocked) {
                    String text = world.failure(ErrorKind.ABORTED, work);
                    assertTrue(text.startsWith("aborted by rank 0: round " + round + " ["), text);
                }
                assertTrue(world.nanoTime() - start < 1_000_000_000, "round " + round + " took more than 1 s");
                world.pass(Duration.ofMillis(500));
                world.failure(ErrorKind.ABORTED, sum(world, 2, count));
                world.succeed(List.of(sum(world, 0, count), sum(world, 1, count), sum(world, 2, count)));
            }
        }
    }

    @OnEveryTransport
    void shouldEndEveryOperationInFlightAndNoLaterOne(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            List<Work> works = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                works.add(world.group(0).barrier(CallOptions.DEFAULT));
            }
            works.add(world.group(0).irecv(Tensors.ints(0), 1, 0, CallOptions.DEFAULT));
            works.add(world.group(0).isend(Tensors.pattern(100_000, 1), 1, 0, CallOptions.DEFAULT));
            world.group(0).abort("enough");
            works.forEach(work -> world.failure(ErrorKind.ABORTED, work));
            assertEquals(0, world.worlds().get(0).inFlight());
            for (int i = 0; i < 3; i++) {
                world.pass(Duration.ofMillis(200));
                world.failure(ErrorKind.ABORTED, world.group(1).barrier(CallOptions.DEFAULT));
            }
            world.assertUsable();
        }
    }

    @OnEveryTransport
    void shouldDoNothingWhereNothingRuns(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            world.group(1).abort("nothing there");
            world.assertUsable();
        }
    }

    private static Work sum(Harness world, int rank, int count) {
        TensorView tensor = Tensors.zeros(DataType.INT32, count);
        return world.group(rank).allReduce(tensor, tensor, ReduceOp.SUM, CallOptions.DEFAULT);
    }
}

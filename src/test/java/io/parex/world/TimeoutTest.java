package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ranks that come late or not at all. */
class TimeoutTest {
    private static final WorldOptions OPTIONS = WorldOptions.DEFAULT.withCallTimeout(Duration.ofSeconds(5));

    @Test
    void shouldNameTheRankThatDoesNotCallAndItsLastCall() {
        for (Harness.Factory factory : List.of(Harness.Factory.CALM, Harness.Factory.ROUGH)) {
            try (Harness world = factory.start(8, OPTIONS)) {
                world.succeed(sums(world, List.of(0, 1, 2, 3, 4, 5, 6, 7)));
                world.succeed(sums(world, List.of(0, 1, 2, 3, 4, 5, 6, 7)));
                world.pass(Duration.ofSeconds(1));
                long start = world.nanoTime();
                for (Work work : sums(world, List.of(0, 1, 2, 3, 4, 6, 7))) {
                    String text = world.failure(ErrorKind.TIMEOUT, work);
                    assertTrue(
                            text.startsWith("timed out after 5.0 s: missing=[5] have not called (rank 5: last call #1 "
                                    + "all_reduce(int32 x 3, op sum, algorithm recursive_doubling), ended "),
                            text);
                    assertTrue(text.contains(" of group world, call #2 all_reduce("), text);
                }
                long nanos = world.nanoTime() - start;
                assertTrue(nanos >= 5_000_000_000L && nanos < 5_500_000_000L, "they failed after " + nanos + " ns");
                world.pass(Duration.ofSeconds(1));
                world.failure(ErrorKind.TIMEOUT, sums(world, List.of(5)).getFirst());
                world.succeed(sums(world, List.of(0, 1, 2, 3, 4, 5, 6, 7)));
            }
        }
    }

    @Test
    void shouldNotNameARankThatCameLate() {
        for (Harness.Factory factory : List.of(Harness.Factory.CALM, Harness.Factory.ROUGH)) {
            try (Harness world = factory.start(6, OPTIONS)) {
                List<Work> works = new ArrayList<>(sums(world, List.of(0, 1, 3, 5)));
                world.pass(Duration.ofSeconds(3));
                works.addAll(sums(world, List.of(2)));
                for (Work work : works) {
                    String text = world.failure(ErrorKind.TIMEOUT, work);
                    assertTrue(
                            text.contains("missing=[4] have not called (rank 4: has made no call on the group)"), text);
                }
            }
        }
    }

    /** An answer of the first questions is 4 s old at the deadline; the text tells the age at that time. */
    @Test
    void shouldTellHowLongAgoTheMissingRankEndedAtTheTimeOfTheText() {
        try (Harness world = Harness.Factory.CALM.start(2, OPTIONS)) {
            world.succeed(world.onAll(group -> group.barrier(CallOptions.DEFAULT)));
            world.pass(Duration.ofSeconds(2));
            String text = world.failure(ErrorKind.TIMEOUT, world.group(0).barrier(CallOptions.DEFAULT));
            assertTrue(text.contains("(rank 1: last call #0 barrier(algorithm dissemination), ended 7.0 s ago)"), text);
        }
    }

    @Test
    void shouldAskOnceMoreShortlyBeforeTheDeadline() {
        try (Harness world = Harness.Factory.CALM.start(3, OPTIONS)) {
            List<Work> works = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                works.add(world.group(0).barrier(CallOptions.DEFAULT));
                works.add(world.group(1).barrier(CallOptions.DEFAULT));
            }
            world.pass(Duration.ofSeconds(3));
            world.await(world.group(2).barrier(CallOptions.DEFAULT));
            for (Work work : works.subList(2, 4)) {
                // After 1 s rank 2 had made no call.
                String text = world.failure(ErrorKind.TIMEOUT, work);
                assertTrue(text.contains("(rank 2: last call #0 barrier(algorithm dissemination), ended "), text);
            }
        }
    }

    @Test
    void shouldTellShortTimeoutsInMilliseconds() {
        for (int millis : new int[] {20, 450, 999}) {
            try (Harness world = Harness.Factory.CALM.start(2, OPTIONS)) {
                CallOptions brief = CallOptions.DEFAULT.withTimeout(Duration.ofMillis(millis));
                String text = world.failure(ErrorKind.TIMEOUT, world.group(0).barrier(brief));
                assertTrue(text.startsWith("timed out after " + millis + " ms: missing=[1] have not called"), text);
            }
        }
    }

    private static List<Work> sums(Harness world, List<Integer> ranks) {
        return ranks.stream()
                .map(rank -> {
                    TensorView tensor = Tensors.ints(1, 2, 3);
                    return world.group(rank).allReduce(tensor, tensor, ReduceOp.SUM, CallOptions.DEFAULT);
                })
                .toList();
    }

    @OnEveryTransport
    void shouldTimeOutOneCallAndTakeTheNext(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            long start = world.nanoTime();
            Work brief = world.group(0).barrier(CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(1)));
            String text = world.failure(ErrorKind.TIMEOUT, brief);
            long nanos = world.nanoTime() - start;
            assertTrue(nanos >= 1_000_000_000L && nanos < 2_000_000_000L, "it failed after " + nanos + " ns");
            assertTrue(text.startsWith("timed out after 1.0 s: missing=[1] have not called"), text);
            world.pass(Duration.ofMillis(300));
            String late = world.failure(ErrorKind.TIMEOUT, world.group(1).barrier(CallOptions.DEFAULT));
            assertTrue(late.contains("[rank 1 of group world, call #0 barrier("), late);
            assertTrue(late.contains(", found by rank 0]"), late);
            world.assertUsable();
        }
    }

    @OnEveryTransport
    void shouldSucceedWhenTheLateRankComesInTime(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            TensorView tensor = Tensors.ints(1, 2, 3);
            List<Work> works = new ArrayList<>(sums(world, List.of(1, 2)));
            world.pass(Duration.ofMillis(1500));
            works.add(world.group(0).allReduce(tensor, tensor, ReduceOp.SUM, CallOptions.DEFAULT));
            world.succeed(works);
            assertArrayEquals(new int[] {3, 6, 9}, Tensors.intValues(tensor));
        }
    }
}

package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A call that has completed on one rank and failed on another: the next call on the first says so, once. */
class NoticeTest {
    private static final CallOptions CHAIN = CallOptions.DEFAULT.withAlgorithm("chain");

    @OnEveryTransport
    void shouldRefuseTheNextCallOnceAndThenWork(Harness.Factory factory) {
        try (Harness world = factory.start(4)) {
            List<Work> works = new ArrayList<>();
            for (int rank = 0; rank < 3; rank++) {
                works.add(world.group(rank).broadcast(Tensors.ints(rank == 0 ? 5 : 0), 0, CHAIN));
            }
            // In a chain ranks 0 and 1 need to hear of their neighbours only.
            world.succeed(works.subList(0, 2));
            works.add(world.group(3).broadcast(Tensors.floats(0), 0, CHAIN));
            world.failure(ErrorKind.MISMATCH, works.get(2));
            world.failure(ErrorKind.MISMATCH, works.get(3));
            world.pass(Duration.ofSeconds(2));
            List<Work> next = world.onAll(group -> group.barrier(CallOptions.DEFAULT));
            for (int rank = 0; rank < 2; rank++) {
                String text = world.failure(ErrorKind.MISMATCH, next.get(rank));
                assertTrue(text.startsWith("call #0 completed on rank " + rank + " but failed on rank "), text);
                assertTrue(text.contains(": ranks "), text);
                assertTrue(text.contains("type int32 / float32") || text.contains("type float32 / int32"), text);
                assertTrue(
                        text.endsWith("; the new barrier on group world was not started and may be called again"),
                        text);
            }
            Work zero = world.group(0).barrier(CallOptions.DEFAULT);
            Work one = world.group(1).barrier(CallOptions.DEFAULT);
            world.succeed(List.of(zero, one, next.get(2), next.get(3)));
            world.assertUsable();
        }
    }

    @Test
    void shouldGiveRightDataOrNoneWhoeverDisagrees() {
        for (String algorithm : List.of("chain", "binomial")) {
            for (int deviant = 0; deviant < 5; deviant++) {
                disagree(Harness.Factory.CALM, CallOptions.DEFAULT.withAlgorithm(algorithm), deviant);
                disagree(Harness.Factory.ROUGH, CallOptions.DEFAULT.withAlgorithm(algorithm), deviant);
            }
        }
    }

    /** Root 0 but for one rank, which believes in root 3, or in root 1 if it is 3 itself. */
    private static void disagree(Harness.Factory factory, CallOptions options, int deviant) {
        try (Harness world = factory.start(5)) {
            List<TensorView> tensors = new ArrayList<>();
            List<Work> works = new ArrayList<>();
            for (int rank = 0; rank < 5; rank++) {
                tensors.add(Tensors.ints(rank == 0 ? 5 : 0));
                int root = rank != deviant ? 0 : deviant == 3 ? 1 : 3;
                works.add(world.group(rank).broadcast(tensors.get(rank), root, options));
            }
            world.settle(works);
            assertEquals(ErrorKind.MISMATCH, world.failure(works.get(deviant)).kind());
            world.pass(Duration.ofSeconds(2));
            List<Work> next = world.onAll(group -> group.barrier(CallOptions.DEFAULT));
            for (int rank = 0; rank < 5; rank++) {
                int value = Tensors.intValues(tensors.get(rank))[0];
                if (failed(works.get(rank))) {
                    // Who failed because of a rank further on holds what came before.
                    assertTrue(value == (rank == 0 ? 5 : 0) || value == 5 && rank != deviant, "rank " + rank);
                    continue;
                }
                assertEquals(5, value);
                world.failure(ErrorKind.MISMATCH, next.get(rank));
                world.group(rank).barrier(CallOptions.DEFAULT);
            }
            next.stream().filter(work -> !work.isDone()).forEach(world::await);
            world.assertUsable();
        }
    }

    private static boolean failed(Work work) {
        try {
            work.await();
            return false;
        } catch (ParexException e) {
            assertEquals(ErrorKind.MISMATCH, e.kind(), e.getMessage());
            return true;
        }
    }

    @OnEveryTransport
    void shouldLetCallsThatRunAlreadyEndWell(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            Work root = world.group(0).broadcast(Tensors.ints(5), 0, CHAIN);
            Work middle = world.group(1).broadcast(Tensors.ints(0), 0, CHAIN);
            world.await(root);
            Work barrier = world.group(0).barrier(CallOptions.DEFAULT);
            world.pass(Duration.ofMillis(100));
            Work last = world.group(2).broadcast(Tensors.ints(0, 0), 0, CHAIN);
            world.failure(ErrorKind.MISMATCH, middle);
            world.failure(ErrorKind.MISMATCH, last);
            world.pass(Duration.ofSeconds(1));
            Work one = world.group(1).barrier(CallOptions.DEFAULT);
            Work two = world.group(2).barrier(CallOptions.DEFAULT);
            world.succeed(List.of(barrier, one, two));
            assertThrows(ParexException.class, () -> world.await(world.group(0).barrier(CallOptions.DEFAULT)));
            world.assertUsable();
        }
    }
}

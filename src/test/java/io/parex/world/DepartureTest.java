package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Ranks that leave while others go on. */
class DepartureTest {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;

    private static void leave(Harness world, int rank) {
        World leaver = world.worlds().get(rank);
        leaver.leave();
        world.passUntil(() -> leaver.state() == WorldState.CLOSED, "the rank does not end");
        world.pass(Duration.ofMillis(200));
    }

    @OnEveryTransport
    void shouldFailTheCallAfterTheLastCommonOneSoon(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            for (int call = 0; call < 10; call++) {
                world.succeed(world.onAll(DepartureTest::sum));
            }
            Work eleventh = sum(world.group(1));
            leave(world, 0);
            String text = world.failure(ErrorKind.LEFT, eleventh);
            assertTrue(text.startsWith("rank 0 left the group after call #9 [rank 1 of group world, call #10 "), text);
            long start = world.nanoTime();
            String next = world.failure(ErrorKind.LEFT, sum(world.group(1)));
            assertTrue(next.startsWith("rank 0 left the group after call #9 [rank 1 of group world, call #11 "), next);
            assertTrue(world.nanoTime() - start < 1_000_000_000, "it failed late");
        }
    }

    private static Work sum(ProcessGroup group) {
        TensorView tensor = Tensors.ints(1);
        return group.allReduce(tensor, tensor, ReduceOp.SUM, DEFAULT);
    }

    @OnEveryTransport
    void shouldTellAllMembersWhoWaitInACall(Harness.Factory factory) {
        try (Harness world = factory.start(4)) {
            List<Work> works = List.of(sum(world.group(0)), sum(world.group(1)), sum(world.group(3)));
            world.pass(Duration.ofMillis(20));
            leave(world, 3);
            for (Work work : works.subList(0, 2)) {
                String text = world.failure(ErrorKind.LEFT, work);
                assertTrue(text.startsWith("rank 3 has left the world ["), text);
            }
            world.failure(ErrorKind.LEFT, works.get(2));
            world.failure(ErrorKind.LEFT, sum(world.group(2)));
        }
    }

    @OnEveryTransport
    void shouldFinishACallThatTheRankMadeBeforeItLeft(Harness.Factory factory) {
        CallOptions chain = DEFAULT.withAlgorithm("chain");
        try (Harness world = factory.start(3)) {
            TensorView tensor = Tensors.ints(0);
            Work root = world.group(0).broadcast(Tensors.ints(6), 0, chain);
            Work middle = world.group(1).broadcast(Tensors.ints(0), 0, chain);
            world.await(root);
            leave(world, 0);
            Work last = world.group(2).broadcast(tensor, 0, chain);
            world.succeed(List.of(middle, last));
            assertArrayEquals(new int[] {6}, Tensors.intValues(tensor));
        }
    }

    @OnEveryTransport
    void shouldDeliverWhatWasSentBeforeAndNothingAfter(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            world.await(world.group(0).isend(Tensors.ints(4), 1, 0, DEFAULT));
            Work waiting = world.group(1).irecv(Tensors.ints(0), 0, 1, DEFAULT);
            Work large = world.group(1).isend(Tensors.pattern(100_000, 1), 0, 0, DEFAULT);
            leave(world, 0);
            for (Work work : List.of(waiting, large)) {
                String text = world.failure(ErrorKind.LEFT, work);
                assertTrue(text.startsWith("rank 0 left the group ["), text);
            }
            TensorView received = Tensors.ints(0);
            world.await(world.group(1).irecv(received, 0, 0, DEFAULT));
            assertArrayEquals(new int[] {4}, Tensors.intValues(received));
            world.failure(ErrorKind.LEFT, world.group(1).irecv(received, 0, 0, DEFAULT));
            world.failure(ErrorKind.LEFT, world.group(1).isend(received, 0, 0, DEFAULT));
        }
    }

    @OnEveryTransport
    void shouldWithdrawLargeMessagesThatNobodyTook(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            Work send = world.group(0).isend(Tensors.pattern(100_000, 1), 1, 0, DEFAULT);
            world.pass(Duration.ofMillis(20));
            leave(world, 0);
            world.failure(ErrorKind.LEFT, send);
            TensorView received = Tensors.zeros(DataType.UINT8, 100_000);
            world.failure(ErrorKind.LEFT, world.group(1).irecv(received, 0, 0, DEFAULT));
        }
    }

    @OnEveryTransport
    void shouldLetTheOthersExchangeMessages(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            leave(world, 1);
            TensorView received = Tensors.zeros(DataType.UINT8, 100_000);
            Work send = world.group(0).isend(Tensors.pattern(100_000, 1), 2, 0, DEFAULT);
            world.await(world.group(2).irecv(received, 0, 0, DEFAULT));
            world.await(send);
            Tensors.assertSame(Tensors.pattern(100_000, 1), received, "message");
        }
    }

    @OnEveryTransport
    void shouldKeepNothingThatComesAfterTheEnd(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            List<Work> works = new ArrayList<>();
            world.worlds().get(0).leave();
            // Submitted before rank 1 can know; the harness checks that no copy stays behind.
            for (int i = 0; i < 20; i++) {
                works.add(world.group(1).isend(Tensors.pattern(1000, i), 0, 0, DEFAULT));
                works.add(sum(world.group(1)));
            }
            world.settle(works);
            assertEquals(0, world.worlds().get(1).inFlight());
        }
    }

    private static void leaveForNow(Harness world, int rank) {
        world.group(rank).leave();
        world.pass(Duration.ofMillis(200));
    }

    private static void rejoin(Harness world, int rank) {
        AtomicBoolean heard = new AtomicBoolean();
        world.group(rank).rejoin().subscribe().with(nothing -> heard.set(true));
        world.passUntil(heard::get, "the members do not hear of it");
    }

    @OnEveryTransport
    void shouldTakePartAgain(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            world.succeed(world.onAll(DepartureTest::sum));
            List<Work> made = world.onAll(DepartureTest::sum);
            Work waiting = sum(world.group(1));
            leaveForNow(world, 0);
            world.succeed(made);
            String text = world.failure(ErrorKind.LEFT, waiting);
            assertTrue(text.startsWith("rank 0 left the group after call #1 ["), text);
            world.failure(ErrorKind.LEFT, sum(world.group(2)));
            world.failure(ErrorKind.LEFT, sum(world.group(2)));
            world.failure(ErrorKind.LEFT, sum(world.group(1)));
            world.failure(ErrorKind.LEFT, world.group(1).irecv(Tensors.ints(0), 0, 0, DEFAULT));
            rejoin(world, 0);
            world.succeed(world.onAll(DepartureTest::sum));
            Work recv = world.group(1).irecv(Tensors.ints(0), 0, 0, DEFAULT);
            world.await(world.group(0).isend(Tensors.ints(4), 1, 0, DEFAULT));
            world.await(recv);
            rejoin(world, 0);
            world.assertUsable();
        }
    }

    @OnEveryTransport
    void shouldBeBackWithItsNextCall(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            leaveForNow(world, 0);
            leaveForNow(world, 0);
            world.failure(ErrorKind.LEFT, sum(world.group(1)));
            world.pass(Duration.ofMillis(200));
            Work back = sum(world.group(0));
            world.pass(Duration.ofMillis(200));
            world.succeed(List.of(back, sum(world.group(1))));
            world.group(1).leave();
            leaveForNow(world, 0);
            leave(world, 1);
            rejoin(world, 0);
            world.failure(ErrorKind.LEFT, sum(world.group(0)));
        }
    }

    @Test
    void shouldRefuseCallsAfterTheEnd() {
        try (Harness world = Harness.Factory.LOCAL.start(1)) {
            World rank = world.worlds().getFirst();
            assertEquals(WorldState.READY, rank.state());
            rank.close();
            rank.close();
            rank.leave().await().atMost(Duration.ofSeconds(10));
            assertEquals(WorldState.CLOSED, rank.state());
            ParexException refusal =
                    assertThrows(ParexException.class, () -> world.group(0).barrier(DEFAULT));
            assertEquals(ErrorKind.UNAVAILABLE, refusal.kind());
            assertEquals("rank 0 of world parex is closed; nothing was started", refusal.getMessage());
        }
    }
}

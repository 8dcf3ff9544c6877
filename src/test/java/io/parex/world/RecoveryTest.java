package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.smallrye.mutiny.subscription.Cancellable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Groups that begin a new epoch although all processes live. */
class RecoveryTest {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;
    private static final Duration LONG = Duration.ofSeconds(20);

    static CompletableFuture<Recovered> recover(ProcessGroup group, Duration timeout) {
        return group.recover(timeout).subscribeAsCompletionStage();
    }

    private static List<CompletableFuture<Recovered>> recoverAll(Harness world) {
        return IntStream.range(0, world.size())
                .mapToObj(rank -> recover(world.group(rank), LONG))
                .toList();
    }

    private static Recovered await(Harness world, List<CompletableFuture<Recovered>> recoveries) {
        world.passUntil(() -> recoveries.stream().allMatch(CompletableFuture::isDone), "the group is not recovered");
        List<Recovered> results =
                recoveries.stream().map(CompletableFuture::join).distinct().toList();
        assertEquals(1, results.size(), "all members hear the same: " + results);
        return results.getFirst();
    }

    static ParexException failure(CompletableFuture<Recovered> recovery) {
        return (ParexException)
                assertThrows(CompletionException.class, recovery::join).getCause();
    }

    private static Work sum(ProcessGroup group, int value) {
        TensorView tensor = Tensors.ints(value);
        return group.allReduce(tensor, tensor, ReduceOp.SUM, DEFAULT);
    }

    private static void assertSums(Harness world) {
        List<TensorView> tensors = IntStream.range(0, world.size())
                .mapToObj(rank -> Tensors.filled(DataType.INT32, 30_000, i -> i + rank))
                .toList();
        world.succeed(IntStream.range(0, world.size())
                .mapToObj(rank ->
                        world.group(rank).allReduce(tensors.get(rank), tensors.get(rank), ReduceOp.SUM, DEFAULT))
                .toList());
        int n = world.size();
        TensorView expected = Tensors.filled(DataType.INT32, 30_000, i -> n * (double) i + n * (n - 1) / 2.0);
        tensors.forEach(tensor -> Tensors.assertSame(expected, tensor, "sum"));
    }

    @OnEveryTransport
    void shouldGoOnWithTheSameNumberOnAllMembers(Harness.Factory factory) {
        try (Harness world = factory.start(5)) {
            assertSums(world);
            Recovered recovered = await(world, recoverAll(world));
            assertEquals(5, recovered.epoch());
            assertTrue(recovered.isLevel());
            assertEquals(0, recovered.members().getFirst().lastCall());
            assertEquals(1, recovered.nextCall());
            for (int again = 0; again < 3; again++) {
                assertSums(world);
                recovered = await(world, recoverAll(world));
            }
            assertEquals(3, recovered.members().getLast().lastCall());
            assertSums(world);
        }
    }

    /** A client has crashed and left its rank one call behind: nothing pairs until all begin anew. */
    @OnEveryTransport
    void shouldBringMembersTogetherThatHaveMadeDifferentlyManyCalls(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            assertSums(world);
            Work ahead = sum(world.group(0), 1);
            world.pass(Duration.ofMillis(20));
            CompletableFuture<Recovered> first = recover(world.group(2), LONG);
            assertTrue(
                    world.failure(ErrorKind.ABORTED, ahead).contains("recover"),
                    "a member that recovers takes no part in calls of before");
            world.passUntil(() -> refusal(world, 1).contains("ranks [2] recover group world"), "not told");
            assertTrue(refusal(world, 2).contains("rank 2 recovers group world"));
            Recovered recovered =
                    await(world, List.of(first, recover(world.group(0), LONG), recover(world.group(1), LONG)));
            assertEquals(2, recovered.nextCall(), "one after the call that only rank 0 has made");
            assertTrue(recovered.isLevel());
            assertSums(world);
        }
    }

    private static String refusal(Harness world, int rank) {
        Work work = world.group(rank).barrier(new CallOptions(Duration.ofMillis(1), null, ""));
        return world.failure(work).getMessage();
    }

    @OnEveryTransport
    void shouldDropMessagesThatNobodyHasReceived(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            world.await(world.group(0).isend(Tensors.ints(1), 1, 9, DEFAULT));
            Work large = world.group(0).isend(Tensors.zeros(DataType.INT32, 100_000), 1, 9, DEFAULT);
            Work receive = world.group(1).irecv(Tensors.ints(0), 0, 8, DEFAULT);
            world.pass(Duration.ofMillis(50));
            await(world, recoverAll(world));
            assertEquals(ErrorKind.ABORTED, world.failure(large).kind());
            assertEquals(ErrorKind.ABORTED, world.failure(receive).kind());
            TensorView fresh = Tensors.ints(0);
            Work received = world.group(1).irecv(fresh, 0, 9, DEFAULT);
            world.succeed(List.of(received, world.group(0).isend(Tensors.ints(7), 1, 9, DEFAULT)));
            Tensors.assertSame(Tensors.ints(7), fresh, "not the message of before");
        }
    }

    @OnEveryTransport
    void shouldSayWhoHasNotCalled(Harness.Factory factory) {
        try (Harness world = factory.start(4)) {
            List<CompletableFuture<Recovered>> recoveries = Stream.of(0, 2)
                    .map(rank -> recover(world.group(rank), Duration.ofMillis(500)))
                    .toList();
            world.passUntil(() -> recoveries.stream().allMatch(CompletableFuture::isDone), "no end");
            for (CompletableFuture<Recovered> recovery : recoveries) {
                ParexException failure = failure(recovery);
                assertEquals(ErrorKind.TIMEOUT, failure.kind());
                assertTrue(
                        failure.getMessage().matches(".*timed out after 500 ms: missing=\\[(0, |)1, (2, |)3] have .*"),
                        failure.getMessage());
            }
            await(world, recoverAll(world));
            assertSums(world);
        }
    }

    /** The others may have heard that it was ready; none of them goes on without it. */
    @OnEveryTransport
    void shouldEndTheEpochOfTheOthersWhenAMemberHasGivenUp(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            for (int round = 0; round < 8; round++) {
                CompletableFuture<Recovered> hasty = recover(world.group(0), Duration.ofNanos(1 + round * 40_000L));
                CompletableFuture<Recovered> second = recover(world.group(1), LONG);
                CompletableFuture<Recovered> third = recover(world.group(2), Duration.ofSeconds(1));
                world.passUntil(() -> hasty.isDone() && third.isDone(), "no end");
                if (hasty.isCompletedExceptionally()) {
                    world.pass(Duration.ofMillis(200));
                    boolean hadBegun = second.isDone();
                    CompletableFuture<Recovered> again = recover(world.group(0), LONG);
                    world.passUntil(() -> refusal(world, 2).contains("recover"), "goes on with a member that does not");
                    CompletableFuture<Recovered> thirdAgain = recover(world.group(2), LONG);
                    CompletableFuture<Recovered> secondAgain = hadBegun ? recover(world.group(1), LONG) : second;
                    await(world, List.of(again, secondAgain, thirdAgain));
                } else {
                    await(world, List.of(hasty, second, third));
                }
                assertSums(world);
            }
        }
    }

    @OnEveryTransport
    void shouldGiveUpForACallerWhoCancels(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            CompletableFuture<Recovered> cancelled = recover(world.group(0), LONG);
            CompletableFuture<Recovered> second = recover(world.group(1), LONG);
            world.passUntil(() -> refusal(world, 2).contains("recover group world"), "not told");
            cancelled.cancel(false);
            world.pass(Duration.ofMillis(200));
            CompletableFuture<Recovered> third = recover(world.group(2), Duration.ofMillis(500));
            world.passUntil(third::isDone, "no end");
            ParexException failure = failure(third);
            assertTrue(failure.getMessage().contains("missing=[0] have not called"), failure.getMessage());
            await(world, List.of(recover(world.group(0), LONG), second, recover(world.group(2), LONG)));
            assertSums(world);
        }
    }

    /** Cancelling late must not end the next recovery. */
    @OnEveryTransport
    void shouldNotGiveUpAnotherRecoveryThanTheOneCancelled(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            CompletableFuture<Recovered> first = recover(world.group(0), LONG);
            Cancellable refused = world.group(0).recover(LONG).subscribe().with(recovered -> {}, failure -> {});
            world.pass(Duration.ofMillis(50));
            refused.cancel();
            await(world, List.of(first, recover(world.group(1), LONG)));
            assertSums(world);
        }
    }

    @OnEveryTransport
    void shouldRefuseCallsThatAreMeantForBefore(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            ProcessGroup before = world.group(0).present();
            assertSame(before, world.group(0).present());
            assertEquals(0, before.round());
            Recovered recovered = await(world, recoverAll(world));
            assertTrue(before.isOver());
            assertFalse(world.group(0).isOver());
            assertEquals(0, before.round());
            assertEquals(recovered.round(), world.group(0).round());
            assertEquals(recovered.round(), world.group(1).present().round());
            Work late = before.barrier(DEFAULT);
            assertTrue(world.failure(ErrorKind.ABORTED, late).contains("was recovered since this call was made"));
            assertTrue(late.wasRefused());
            assertTrue(await(world, recoverAll(world)).round() > recovered.round());
            assertSums(world);
        }
    }

    /** Whoever recovers does not answer those who come back to the epoch before; there is nothing to hear there. */
    @OnEveryTransport
    void shouldBeBackAtOnceWhereOthersRecover(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            assertSums(world);
            world.group(0).leave();
            world.passUntil(() -> refusal(world, 1).contains("rank 0 left the group"), "has not left");
            CompletableFuture<Recovered> first = recover(world.group(1), LONG);
            CompletableFuture<Void> back = world.group(0).rejoin().subscribeAsCompletionStage();
            world.passUntil(back::isDone, "waits for a member that has gone on");
            await(world, List.of(recover(world.group(0), LONG), first, recover(world.group(2), LONG)));
            assertSums(world);
        }
    }

    @OnEveryTransport
    void shouldRefuseASecondRecoveryAtOnceAndAnEpochThatIsOver(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            CompletableFuture<Recovered> first = recover(world.group(0), LONG);
            CompletableFuture<Recovered> second = recover(world.group(0), LONG);
            world.passUntil(second::isDone, "no end");
            assertEquals(ErrorKind.ARGUMENT, failure(second).kind());
            assertThrows(ParexException.class, () -> world.group(0).recover(Duration.ZERO));
            await(world, List.of(first, recover(world.group(1), LONG)));
            assertSums(world);
        }
    }

    @OnEveryTransport
    void shouldEndARecoveryWhenTheRankLeaves(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            CompletableFuture<Recovered> recovery = recover(world.group(0), LONG);
            world.passUntil(() -> refusal(world, 0).contains("recovers"), "not begun");
            world.worlds().get(0).leave();
            world.passUntil(recovery::isDone, "no end");
            assertEquals(ErrorKind.LEFT, failure(recovery).kind());
        }
    }
}

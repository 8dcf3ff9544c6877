package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The handle of an operation: waiting is optional, repeatable and bounded. */
class WorkTest {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;

    /** C74: both sides only ask whether it is done. */
    @OnEveryTransport
    void shouldProgressWithoutAnybodyWaiting(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            TensorView sent = Tensors.pattern(1 << 20, 1);
            TensorView received = Tensors.zeros(DataType.UINT8, 1 << 20);
            Work send = world.group(0).isend(sent, 1, 0, DEFAULT);
            Work recv = world.group(1).irecv(received, 0, 0, DEFAULT);
            for (int poll = 0; poll < 100 && !(send.isDone() && recv.isDone()); poll++) {
                world.pass(Duration.ofMillis(10));
            }
            assertTrue(send.isDone() && recv.isDone(), "not complete after 1 s of polling");
            Tensors.assertSame(sent, received, "message");
        }
    }

    /** C75: waiting twice, and from two threads. */
    @Test
    void shouldGiveEveryWaiterTheSameResult() throws Exception {
        try (Harness world = Harness.Factory.LOCAL.start(2)) {
            List<TensorView> tensors = List.of(Tensors.ints(1, 2), Tensors.ints(3, 4));
            List<Work> works = world.onAll(group ->
                    group.allReduce(tensors.get(group.rank()), tensors.get(group.rank()), ReduceOp.SUM, DEFAULT));
            Work work = works.getFirst();
            CompletableFuture<Completion> other = CompletableFuture.supplyAsync(work::await);
            assertEquals(new Completion(-1, -1, 2), work.await());
            assertEquals(new Completion(-1, -1, 2), work.await());
            assertEquals(new Completion(-1, -1, 2), other.get(10, TimeUnit.SECONDS));
            assertEquals(new Completion(-1, -1, 2), work.completion().await().atMost(Duration.ofSeconds(10)));
            assertTrue(work.isDone());
            works.getLast().await();
            Tensors.assertSame(Tensors.ints(4, 6), tensors.getFirst(), "the sum, added once");
        }
    }

    @Test
    void shouldGoOnWhenASubscriptionIsCancelled() {
        try (Harness world = Harness.Factory.LOCAL.start(2)) {
            Work first = world.group(0).barrier(DEFAULT);
            first.completion().subscribe().with(done -> {}).cancel();
            Work second = world.group(1).barrier(DEFAULT);
            world.settle(List.of(first, second));
            assertEquals(new Completion(-1, -1, 0), first.await());
            assertEquals(new Completion(-1, -1, 0), second.await());
        }
    }

    /** C75: the same of an operation that has failed. */
    @Test
    void shouldGiveEveryWaiterTheSameFailure() throws Exception {
        try (Harness world = Harness.Factory.LOCAL.start(2)) {
            Work work = world.group(0).irecv(Tensors.ints(0), 1, 0, DEFAULT.withTimeout(Duration.ofMillis(50)));
            CompletableFuture<ParexException> other =
                    CompletableFuture.supplyAsync(() -> assertThrows(ParexException.class, work::await));
            ParexException first = assertThrows(ParexException.class, work::await);
            assertEquals(ErrorKind.TIMEOUT, first.kind());
            assertEquals(
                    first.getMessage(),
                    assertThrows(ParexException.class, work::await).getMessage());
            assertEquals(first.getMessage(), other.get(10, TimeUnit.SECONDS).getMessage());
            ParexException fromUni = assertThrows(
                    ParexException.class, () -> work.completion().await().atMost(Duration.ofSeconds(10)));
            assertEquals(first.getMessage(), fromUni.getMessage());
            assertTrue(work.isDone());
        }
    }

    @Test
    void shouldGoOnAfterAWaitThatWasTooShort() {
        try (Harness world = Harness.Factory.LOCAL.start(2)) {
            TensorView received = Tensors.ints(0);
            Work work = world.group(0).irecv(received, 1, 0, DEFAULT);
            ParexException early = assertThrows(ParexException.class, () -> work.await(Duration.ofMillis(20)));
            assertEquals(ErrorKind.TIMEOUT, early.kind());
            assertEquals("irecv has not ended within the PT0.02S waited for; it goes on", early.getMessage());
            world.await(world.group(1).isend(Tensors.ints(8), 0, 0, DEFAULT));
            assertEquals(new Completion(1, 0, 1), work.await(Duration.ofSeconds(10)));
            assertEquals(8, Tensors.intValues(received)[0]);
        }
    }

    @Test
    void shouldRefuseToBlockAnOwnerLoop() {
        try (Harness world = Harness.Factory.CALM.start(2)) {
            Work first = world.group(0).irecv(Tensors.ints(0), 1, 0, DEFAULT);
            Work second = world.group(0).irecv(Tensors.ints(0), 1, 0, DEFAULT);
            CompletableFuture<ParexException> refusal = new CompletableFuture<>();
            first.completion()
                    .subscribe()
                    .with(done -> refusal.complete(assertThrows(ParexException.class, second::await)));
            List<Work> sends = IntStream.range(0, 2)
                    .mapToObj(i -> world.group(1).isend(Tensors.ints(i), 0, 0, DEFAULT))
                    .toList();
            world.settle(List.of(first));
            assertEquals(ErrorKind.ARGUMENT, refusal.join().kind());
            assertTrue(
                    refusal.join().getMessage().contains("on the owner loop"),
                    refusal.join().getMessage());
            world.succeed(sends);
            world.await(second);
        }
    }
}

package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Sends and receives submitted as one, and exchanges that must not deadlock. */
class BatchTest {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;

    /** C45: each lists its receive before its send. */
    @OnEveryTransport
    void shouldCompleteWhenBothListTheReceiveFirst(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            exchange(world, 4);
            exchange(world, 1 << 20);
        }
    }

    /** C45: the same of 64 MiB. */
    @Test
    void shouldCompleteLargeExchangesOnRealLoops() {
        try (Harness world = Harness.Factory.LOCAL.start(2)) {
            exchange(world, 64 << 20);
        }
    }

    private static void exchange(Harness world, int bytes) {
        List<TensorView> given = List.of(Tensors.pattern(bytes, 0), Tensors.pattern(bytes, 1));
        List<TensorView> taken = List.of(Tensors.zeros(DataType.UINT8, bytes), Tensors.zeros(DataType.UINT8, bytes));
        List<Work> works = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            works.addAll(world.group(rank)
                    .batch(
                            List.of(
                                    PointToPoint.recv(taken.get(rank), 1 - rank, 0),
                                    PointToPoint.send(given.get(rank), 1 - rank, 0)),
                            DEFAULT));
        }
        world.succeed(works);
        Tensors.assertSame(given.get(1), taken.get(0), bytes + " bytes to rank 0");
        Tensors.assertSame(given.get(0), taken.get(1), bytes + " bytes to rank 1");
    }

    /** C46: no collective is needed before, and who is not concerned need not call. */
    @OnEveryTransport
    void shouldExchangeWithNeighboursAsTheFirstCalls(Harness.Factory factory) {
        try (Harness world = factory.start(4)) {
            for (int distance = 1; distance <= 3; distance++) {
                shift(world, distance, List.of(0, 1, 2, 3));
            }
            TensorView atOne = Tensors.ints(0);
            TensorView atTwo = Tensors.ints(0);
            List<Work> works = new ArrayList<>(world.group(1)
                    .batch(List.of(PointToPoint.send(Tensors.ints(1), 2, 0), PointToPoint.recv(atOne, 2, 0)), DEFAULT));
            works.addAll(world.group(2)
                    .batch(List.of(PointToPoint.send(Tensors.ints(2), 1, 0), PointToPoint.recv(atTwo, 1, 0)), DEFAULT));
            world.succeed(works);
            assertEquals(2, Tensors.intValues(atOne)[0]);
            assertEquals(1, Tensors.intValues(atTwo)[0]);
        }
    }

    private static void shift(Harness world, int distance, List<Integer> ranks) {
        int size = world.size();
        List<TensorView> slots = ranks.stream().map(rank -> Tensors.ints(-1)).toList();
        List<Work> works = new ArrayList<>();
        for (int rank : ranks) {
            works.addAll(world.group(rank)
                    .batch(
                            List.of(
                                    PointToPoint.send(Tensors.ints(rank), (rank + distance) % size, 0),
                                    PointToPoint.recv(slots.get(rank), (rank + size - distance) % size, 0)),
                            DEFAULT));
        }
        world.succeed(works);
        for (int rank : ranks) {
            assertEquals((rank + size - distance) % size, Tensors.intValues(slots.get(rank))[0]);
        }
    }

    /** C48: all others of the batch end well. */
    @OnEveryTransport
    void shouldFailOnlyTheReceiveThatHasNoSender(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            Duration timeout = Duration.ofMillis(500);
            TensorView received = Tensors.ints(0);
            List<Work> works = world.group(0)
                    .batch(
                            List.of(
                                    PointToPoint.send(Tensors.ints(42), 1, 7),
                                    PointToPoint.recv(Tensors.ints(0), 1, 9)),
                            DEFAULT.withTimeout(timeout));
            long start = world.nanoTime();
            world.await(world.group(1)
                    .batch(List.of(PointToPoint.recv(received, 0, 7)), DEFAULT)
                    .getFirst());
            world.await(works.get(0));
            assertFalse(works.get(1).isDone());
            String text = world.failure(ErrorKind.TIMEOUT, works.get(1));
            assertTrue(world.nanoTime() - start >= 450_000_000, "it failed before its time");
            assertTrue(text.contains("no message has come that matches"), text);
            assertTrue(text.contains("on rank 0 from rank 1, tag 9"), text);
            assertEquals(42, Tensors.intValues(received)[0]);
        }
    }

    /** C50: five sent together, received as four and one. */
    @OnEveryTransport
    void shouldNotGroupWhatIsReceivedByWhatWasSentTogether(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            List<Work> works = new ArrayList<>(world.group(0)
                    .batch(
                            IntStream.range(0, 5)
                                    .mapToObj(i -> PointToPoint.send(Tensors.ints(i), 1, 0))
                                    .toList(),
                            DEFAULT));
            List<TensorView> taken =
                    IntStream.range(0, 5).mapToObj(i -> Tensors.ints(-1)).toList();
            List<Work> four = world.group(1)
                    .batch(
                            taken.subList(0, 4).stream()
                                    .map(each -> PointToPoint.recv(each, 0, 0))
                                    .toList(),
                            DEFAULT);
            world.succeed(four);
            world.pass(Duration.ofMillis(100));
            works.add(world.group(1).irecv(taken.get(4), 0, 0, DEFAULT));
            world.succeed(works);
            assertEquals(
                    List.of(0, 1, 2, 3, 4),
                    taken.stream().map(each -> Tensors.intValues(each)[0]).toList());
        }
    }

    /** C54: 512 sends and as many receives of each rank. */
    @OnEveryTransport
    void shouldTakeAThousandOperationsInOneBatch(Harness.Factory factory) {
        int each = 128;
        try (Harness world = factory.start(4)) {
            List<List<TensorView>> taken = new ArrayList<>();
            List<Work> works = new ArrayList<>();
            for (int rank = 0; rank < 4; rank++) {
                List<PointToPoint> operations = new ArrayList<>();
                List<TensorView> slots = new ArrayList<>();
                for (int i = 0; i < 4 * each; i++) {
                    operations.add(PointToPoint.send(Tensors.pattern(1024, 1000L * rank + i / 4), i % 4, 0));
                    slots.add(Tensors.zeros(DataType.UINT8, 1024));
                    operations.add(PointToPoint.recv(slots.get(i), i % 4, 0));
                }
                taken.add(slots);
                works.addAll(world.group(rank).batch(operations, DEFAULT));
            }
            world.succeed(works);
            for (int rank = 0; rank < 4; rank++) {
                for (int i = 0; i < 4 * each; i++) {
                    TensorView expected = Tensors.pattern(1024, 1000L * (i % 4) + i / 4);
                    Tensors.assertSame(expected, taken.get(rank).get(i), "message " + i + " to rank " + rank);
                }
            }
        }
    }

    @OnEveryTransport
    void shouldTimeOutTwoRanksThatBothSendFirstAndExchangeTheSameTogether(Harness.Factory factory) {
        int bytes = 65_537;
        try (Harness world = factory.start(2)) {
            CallOptions brief = DEFAULT.withTimeout(Duration.ofMillis(300));
            List<Work> sends =
                    world.onAll(group -> group.isend(Tensors.pattern(bytes, group.rank()), 1 - group.rank(), 0, brief));
            for (int rank = 0; rank < 2; rank++) {
                String text = world.failure(ErrorKind.TIMEOUT, sends.get(rank));
                assertTrue(
                        text.startsWith("timed out after 300 ms: rank " + (1 - rank) + " has posted no receive"), text);
                assertTrue(text.contains("nothing of the message counts as sent"), text);
            }
            // A receive that meets a message whose sender has just given up would fail with it.
            world.pass(Duration.ofMillis(200));
            exchange(world, bytes);
            List<TensorView> taken =
                    List.of(Tensors.zeros(DataType.UINT8, bytes), Tensors.zeros(DataType.UINT8, bytes));
            world.succeed(world.onAll(group -> group.sendRecv(
                    PointToPoint.send(Tensors.pattern(bytes, group.rank()), 1 - group.rank(), 0),
                    PointToPoint.recv(taken.get(group.rank()), 1 - group.rank(), 0),
                    DEFAULT)));
            Tensors.assertSame(Tensors.pattern(bytes, 1), taken.get(0), "to rank 0");
            Tensors.assertSame(Tensors.pattern(bytes, 0), taken.get(1), "to rank 1");
        }
    }
}

package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many operations at once: on one thread, on several, in several worlds. */
class ConcurrencyTest {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;

    @OnEveryTransport
    void shouldPairCallsInFlightInTheOrderOfEachRank(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            List<List<TensorView>> results = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            List<Work> works = new ArrayList<>();
            for (int rank = 0; rank < 3; rank++) {
                for (int call = 0; call < 60; call++) {
                    works.add(submit(world.group(rank), call, results.get(rank)));
                }
                // The first rank is far ahead of the others.
                world.pass(Duration.ofMillis(30));
            }
            world.succeed(works);
            for (int call = 0; call < 60; call++) {
                TensorView expected = call % 3 == 2
                        ? Tensors.zeros(DataType.INT32, 0)
                        : call % 3 == 1
                                ? Tensors.filled(DataType.INT32, 1 << call % 18, i -> i)
                                : Reference.result(DataType.INT32, 1 << call % 18, ReduceOp.SUM, 3);
                for (List<TensorView> of : results) {
                    Tensors.assertSame(expected, of.get(call), "call " + call);
                }
            }
        }
    }

    private static Work submit(ProcessGroup group, int call, List<TensorView> results) {
        long count = 1 << call % 18;
        switch (call % 3) {
            case 0 -> {
                results.add(Tensors.zeros(DataType.INT32, count));
                TensorView input = Reference.input(DataType.INT32, count, ReduceOp.SUM, 3, group.rank());
                return group.allReduce(input, results.getLast(), ReduceOp.SUM, DEFAULT);
            }
            case 1 -> {
                boolean root = group.rank() == call % group.size();
                results.add(Tensors.filled(DataType.INT32, count, i -> root ? i : -1));
                return group.broadcast(results.getLast(), call % group.size(), DEFAULT);
            }
            default -> {
                results.add(Tensors.zeros(DataType.INT32, 0));
                return group.barrier(DEFAULT);
            }
        }
    }

    @OnEveryTransport
    void shouldMixMessagesAndCollectives(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            List<Work> works = new ArrayList<>();
            List<TensorView> received = new ArrayList<>();
            List<TensorView> sums = new ArrayList<>();
            for (int round = 0; round < 20; round++) {
                int bytes = round % 2 == 0 ? 100 : 100_000;
                for (int rank = 0; rank < 3; rank++) {
                    ProcessGroup group = world.group(rank);
                    received.add(Tensors.zeros(DataType.UINT8, bytes));
                    works.add(group.irecv(received.getLast(), (rank + 2) % 3, round, DEFAULT));
                    sums.add(Tensors.filled(DataType.INT32, 1000, i -> 1));
                    works.add(group.allReduce(sums.getLast(), sums.getLast(), ReduceOp.SUM, DEFAULT));
                    works.add(group.isend(Tensors.pattern(bytes, 3L * round + rank), (rank + 1) % 3, round, DEFAULT));
                }
            }
            world.succeed(works);
            for (int i = 0; i < received.size(); i++) {
                long from = 3L * (i / 3) + (i + 2) % 3;
                Tensors.assertSame(Tensors.pattern(received.get(i).count(), from), received.get(i), "message " + i);
                Tensors.assertSame(Tensors.filled(DataType.INT32, 1000, any -> 3), sums.get(i), "sum " + i);
            }
        }
    }

    @Test
    void shouldKeepEightWorldsApart() {
        List<Harness> worlds = IntStream.range(0, 8)
                .mapToObj(i -> Harness.Factory.LOCAL.start(2, WorldOptions.DEFAULT.withName("world-" + i)))
                .toList();
        List<TensorView> tensors = new ArrayList<>();
        List<Work> works = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            works.addAll(worlds.get(i).onAll(group -> {
                tensors.add(Tensors.ints(number, group.rank()));
                return group.allReduce(tensors.getLast(), tensors.getLast(), ReduceOp.SUM, DEFAULT);
            }));
        }
        worlds.getFirst().succeed(works);
        for (int i = 0; i < 16; i++) {
            assertArrayEquals(new int[] {2 * (i / 2), 1}, Tensors.intValues(tensors.get(i)));
            assertEquals("world-" + i / 2, worlds.get(i / 2).worlds().get(i % 2).name());
        }
        worlds.subList(0, 4).forEach(Harness::close);
        worlds.subList(4, 8).forEach(Harness::assertUsable);
        worlds.subList(4, 8).forEach(Harness::close);
    }

    /**
     * C79: two threads of each rank call on one group with names, in no order between them: right sums or a mismatch.
     */
    @Test
    void shouldNeverMixTheCallsOfTwoThreads() throws InterruptedException {
        int rounds = 100;
        try (Harness world = Harness.Factory.LOCAL.start(2)) {
            for (int counts : new int[] {10, 1000}) {
                Map<String, Integer> outcomes = new ConcurrentHashMap<>();
                for (int round = 0; round < rounds; round++) {
                    CountDownLatch done = new CountDownLatch(4);
                    for (int i = 0; i < 4; i++) {
                        ProcessGroup group = world.group(i / 2);
                        String name = i % 2 == 0 ? "A" : "B";
                        TensorView tensor =
                                Tensors.filled(DataType.INT32, i % 2 == 0 ? 1000 : counts, any -> name.charAt(0));
                        Thread.ofVirtual().start(() -> {
                            outcomes.merge(outcome(group, tensor, name), 1, Integer::sum);
                            done.countDown();
                        });
                    }
                    done.await();
                }
                assertTrue(
                        outcomes.keySet().stream().allMatch(List.of("A130", "B132", "mismatch")::contains),
                        () -> "outcomes " + outcomes);
                assertEquals(
                        4 * rounds, outcomes.values().stream().mapToInt(i -> i).sum());
                assertEquals(outcomes.getOrDefault("A130", 0), outcomes.getOrDefault("B132", 0));
            }
            world.assertUsable();
        }
    }

    private static String outcome(ProcessGroup group, TensorView tensor, String name) {
        try {
            group.allReduce(tensor, tensor, ReduceOp.SUM, DEFAULT.withName(name))
                    .await();
            return name + (long) Tensors.get(tensor, tensor.count() - 1);
        } catch (ParexException e) {
            return e.kind() == ErrorKind.MISMATCH ? "mismatch" : e.getMessage();
        }
    }
}

package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples with which the primitives are explained, as programs. */
class TextbookExamplesTest {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;

    @OnEveryTransport
    void shouldSendThreeNumbers(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            TensorView sent = Tensors.ints(1, 2, 3);
            TensorView received = Tensors.ints(0, 0, 0);
            Work send = world.group(0).isend(sent, 1, 0, DEFAULT);
            Work recv = world.group(1).irecv(received, 0, 0, DEFAULT);
            world.await(send);
            assertEquals(new Completion(0, 0, 3), world.await(recv));
            assertArrayEquals(new int[] {1, 2, 3}, Tensors.intValues(received));
            assertArrayEquals(new int[] {1, 2, 3}, Tensors.intValues(sent));
        }
    }

    @Test
    void shouldSendThreeNumbersWithBlockingCalls() {
        try (Harness world = Harness.Factory.LOCAL.start(2)) {
            world.after(Duration.ZERO, () -> world.group(0).send(Tensors.ints(1, 2, 3), 1, 0, DEFAULT));
            TensorView received = Tensors.ints(0, 0, 0);
            world.group(1).recv(received, 0, 0, DEFAULT);
            assertArrayEquals(new int[] {1, 2, 3}, Tensors.intValues(received));
        }
    }

    @OnEveryTransport
    void shouldComputeWhileAMessageIsOnItsWay(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            TensorView received = Tensors.ints(0, 0, 0);
            Work recv = world.group(1).irecv(received, 0, 7, DEFAULT);
            Work send = world.group(0).isend(Tensors.ints(10, 20, 30), 1, 7, DEFAULT);
            assertEquals(499_500, IntStream.range(0, 1000).sum());
            world.await(recv);
            world.await(send);
            assertEquals(60, Arrays.stream(Tensors.intValues(received)).sum());
        }
    }

    @OnEveryTransport
    void shouldShiftAroundTheRing(Harness.Factory factory) {
        try (Harness world = factory.start(4)) {
            List<TensorView> slots =
                    IntStream.range(0, 4).mapToObj(rank -> Tensors.ints(-1)).toList();
            world.succeed(world.onAll(group -> {
                int right = (group.rank() + 1) % 4;
                int left = (group.rank() + 3) % 4;
                return group.sendRecv(
                        PointToPoint.send(Tensors.ints(group.rank()), right, 0),
                        PointToPoint.recv(slots.get(group.rank()), left, 0),
                        DEFAULT);
            }));
            int[] ring =
                    slots.stream().mapToInt(slot -> Tensors.intValues(slot)[0]).toArray();
            assertArrayEquals(new int[] {3, 0, 1, 2}, ring);
        }
    }

    @ParameterizedTest
    @MethodSource("io.parex.world.OnEveryTransport$Transports#quick")
    void shouldLetAllPassTheBarrierWhenTheLastHasCome(Harness.Factory factory) {
        try (Harness world = factory.start(4)) {
            // The first one loads classes, and a busy machine may have a bad moment.
            world.assertUsable();
            long best = Long.MAX_VALUE;
            for (int attempt = 0; attempt < 3 && best > 20_000_000; attempt++) {
                best = Math.min(best, longestWaitForTheLast(world));
            }
            assertTrue(best <= 20_000_000, "a rank left the barrier " + best + " ns after the last had come");
        }
    }

    /** The ranks come 0, 0.5, 1.0 and 1.5 s late. */
    private static long longestWaitForTheLast(Harness world) {
        AtomicLongArray came = new AtomicLongArray(world.size());
        AtomicLongArray left = new AtomicLongArray(world.size());
        List<Work> barriers = new CopyOnWriteArrayList<>();
        for (ProcessGroup group : world.worlds().stream().map(World::group).toList()) {
            world.after(Duration.ofMillis(500L * group.rank()), () -> {
                came.set(group.rank(), world.nanoTime());
                Work barrier = group.barrier(DEFAULT);
                barriers.add(barrier);
                barrier.completion().subscribe().with(done -> left.set(group.rank(), world.nanoTime()));
            });
        }
        world.pass(Duration.ofSeconds(2));
        assertEquals(world.size(), barriers.size());
        world.succeed(barriers);
        long last = came.get(world.size() - 1);
        long[] waits = IntStream.range(0, world.size())
                .mapToLong(rank -> left.get(rank) - last)
                .toArray();
        assertTrue(Arrays.stream(waits).allMatch(wait -> wait >= 0), "a rank left before the last had come");
        return Arrays.stream(waits).max().orElseThrow();
    }
}

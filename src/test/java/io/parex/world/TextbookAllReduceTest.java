package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The ring all_reduce as a training job would write it, out of nothing but isend and recv, against that of the group:
 * it sums in the same order, so the bits are the same. One thread is one rank of the job.
 */
class TextbookAllReduceTest {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;
    private static final CallOptions RING = DEFAULT.withAlgorithm("ring");

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void shouldHoldTheBitsOfTheRing(int size) {
        for (Harness.Factory factory : List.of(Harness.Factory.LOCAL, Harness.Factory.TCP)) {
            try (Harness world = factory.start(size)) {
                for (DataType type : List.of(DataType.FLOAT32, DataType.INT32, DataType.INT64)) {
                    for (int count : new int[] {0, 1, size - 1, size, size + 1, 1000, 100_003}) {
                        compare(world, type, count);
                    }
                }
            }
        }
    }

    private static void compare(Harness world, DataType type, int count) {
        List<TensorView> inputs = IntStream.range(0, world.size())
                .mapToObj(rank -> values(type, count, rank))
                .toList();
        List<TensorView> byHand = inputs.stream().map(Tensors::copy).toList();
        onThreads(world.size(), rank -> allReduce(world.group(rank), byHand.get(rank)));
        List<TensorView> outputs =
                inputs.stream().map(input -> Tensors.zeros(type, count)).toList();
        world.succeed(world.onAll(
                group -> group.allReduce(inputs.get(group.rank()), outputs.get(group.rank()), ReduceOp.SUM, RING)));
        for (int rank = 0; rank < world.size(); rank++) {
            Tensors.assertSame(outputs.get(rank), byHand.get(rank), count + " " + type.label() + " on rank " + rank);
        }
    }

    /** In place: each chunk goes once around the ring to be summed, and once more as the sum. */
    private static void allReduce(ProcessGroup group, TensorView tensor) {
        int size = group.size();
        int rank = group.rank();
        int right = (rank + 1) % size;
        int left = (rank + size - 1) % size;
        for (int step = 0; step < size - 1; step++) {
            TensorView arriving = chunk(tensor, rank - step - 1, size);
            TensorView room = Tensors.zeros(tensor.type(), arriving.count());
            Work send = group.isend(chunk(tensor, rank - step, size), right, step, DEFAULT);
            group.recv(room, left, step, DEFAULT);
            add(arriving, room);
            send.await();
        }
        for (int step = 0; step < size - 1; step++) {
            Work send = group.isend(chunk(tensor, rank + 1 - step, size), right, size + step, DEFAULT);
            group.recv(chunk(tensor, rank - step, size), left, size + step, DEFAULT);
            send.await();
        }
    }

    /** One of as many chunks as there are ranks; the first ones are one element longer if they do not come out even. */
    private static TensorView chunk(TensorView tensor, int index, int size) {
        long which = Math.floorMod(index, size);
        long each = tensor.count() / size;
        long longer = tensor.count() % size;
        return tensor.slice(which * each + Math.min(which, longer), each + (which < longer ? 1 : 0));
    }

    private static void add(TensorView sum, TensorView values) {
        for (long i = 0; i < sum.count(); i++) {
            if (sum.type() == DataType.FLOAT32) {
                Tensors.set(sum, i, (float) Tensors.get(sum, i) + (float) Tensors.get(values, i));
            } else {
                Tensors.set(sum, i, Tensors.get(sum, i) + Tensors.get(values, i));
            }
        }
    }

    /** Floating values of many magnitudes and both signs, so that the order of summation shows; small integers. */
    private static TensorView values(DataType type, int count, int rank) {
        SplittableRandom random = new SplittableRandom(1000L * rank + count);
        return Tensors.filled(
                type,
                count,
                i -> type == DataType.FLOAT32
                        ? Math.scalb(random.nextDouble(-1, 1), random.nextInt(0, 20))
                        : random.nextInt(-1_000_000, 1_000_000));
    }

    /** Else the comparison would hold for whatever order. */
    @Test
    void shouldTellOrdersOfSummationApart() {
        try (Harness world = Harness.Factory.LOCAL.start(3)) {
            TensorView[] sums = new TensorView[2];
            for (int turn = 0; turn < 2; turn++) {
                CallOptions options = DEFAULT.withAlgorithm(turn == 0 ? "ring" : "direct");
                TensorView output = Tensors.zeros(DataType.FLOAT32, 1000);
                world.succeed(world.onAll(group -> group.allReduce(
                        values(DataType.FLOAT32, 1000, group.rank()),
                        group.rank() == 0 ? output : Tensors.zeros(DataType.FLOAT32, 1000),
                        ReduceOp.SUM,
                        options)));
                sums[turn] = output;
            }
            assertNotEquals(-1, sums[0].segment().mismatch(sums[1].segment()));
        }
    }

    /** Runs the program of each rank; fails with what the first of them failed with. */
    private static void onThreads(int size, IntConsumer program) {
        CountDownLatch running = new CountDownLatch(size);
        AtomicReference<Throwable> failed = new AtomicReference<>();
        for (int rank = 0; rank < size; rank++) {
            int mine = rank;
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    program.accept(mine);
                } catch (RuntimeException e) {
                    failed.compareAndSet(null, e);
                } finally {
                    running.countDown();
                }
            });
        }
        try {
            assertTrue(running.await(60, TimeUnit.SECONDS), "a rank hangs");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        if (failed.get() != null) {
            throw new AssertionError(failed.get());
        }
    }
}

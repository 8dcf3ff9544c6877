package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Tensors that pass through a window of memory, or whose results come out while their input still comes in. */
class StreamsTest {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;
    private static final int WINDOW = 40_000;
    private static final int BYTES = 100 * WINDOW;

    /** The caller's end of a stream: does a bit of work, again and again, until all is through. */
    private static final class Party {
        private final Harness world;
        private final TensorStream stream;
        private final TensorView tensor;
        private final Random random;
        private final Queue<String> faults;
        private volatile long limit;

        Party(Harness world, TensorStream stream, TensorView tensor, int seed, Queue<String> faults) {
            this.world = world;
            this.stream = stream;
            this.tensor = tensor;
            this.random = new Random(seed);
            this.faults = faults;
            this.limit = stream.byteSize();
        }

        /** One at a time: a new limit may set a second chain going before the first has seen its end. */
        synchronized void produce() {
            long position = stream.written();
            MemorySegment room = stream.writable();
            long bytes = portion(Math.min(room.byteSize(), limit - position));
            room.asSlice(0, bytes).copyFrom(tensor.segment().asSlice(position, bytes));
            stream.advanceWritten(bytes);
            again(stream.written(), this::produce);
        }

        void consume() {
            long position = stream.consumed();
            MemorySegment there = stream.readable();
            long bytes = portion(there.byteSize());
            if (tensor.segment().asSlice(position, bytes).mismatch(there.asSlice(0, bytes)) != -1) {
                faults.add("wrong bytes in the " + bytes + " from " + position + " on");
            }
            stream.advanceConsumed(bytes);
            again(stream.consumed(), this::consume);
        }

        private long portion(long limit) {
            return Math.min(limit, 1 + random.nextInt(WINDOW));
        }

        private void again(long position, Runnable task) {
            if (position < limit) {
                world.after(Duration.ofNanos(random.nextInt(1_000_000)), task);
            }
        }
    }

    private static TensorStream window(int bytes, DataType type, long count) {
        return TensorStream.through(Tensors.zeros(DataType.UINT8, bytes).segment(), type, count);
    }

    @OnEveryTransport
    void shouldSendATensorThroughSmallWindows(Harness.Factory factory) {
        TensorView tensor = Tensors.pattern(BYTES, 5);
        Queue<String> faults = new ConcurrentLinkedQueue<>();
        try (Harness world = factory.start(2, WorldOptions.DEFAULT)) {
            TensorStream sent = window(WINDOW, DataType.UINT8, BYTES);
            TensorStream received = window(WINDOW / 2, DataType.UINT8, BYTES);
            Work recv = world.group(1).submit(Call.recv(received, 0, 0, DEFAULT));
            Work send = world.group(0).submit(Call.send(sent, 1, 0, DEFAULT));
            new Party(world, sent, tensor, 1, faults).produce();
            new Party(world, received, tensor, 2, faults).consume();
            world.succeed(List.of(send, recv));
            assertEquals(BYTES, sent.consumed());
            assertEquals(BYTES, received.written());
            // The last window is still there to be read.
            world.passUntil(() -> received.consumed() == BYTES, "the last window is not there");
            assertTrue(faults.isEmpty(), faults::toString);
        }
    }

    @OnEveryTransport
    void shouldSendFromAWindowIntoATensorAndBack(Harness.Factory factory) {
        TensorView tensor = Tensors.pattern(BYTES, 6);
        Queue<String> faults = new ConcurrentLinkedQueue<>();
        try (Harness world = factory.start(2, WorldOptions.DEFAULT)) {
            TensorView whole = Tensors.zeros(DataType.UINT8, BYTES);
            TensorStream sent = window(WINDOW, DataType.UINT8, BYTES);
            Work recv = world.group(1).irecv(whole, 0, 0, DEFAULT);
            Work send = world.group(0).submit(Call.send(sent, 1, 0, DEFAULT));
            new Party(world, sent, tensor, 1, faults).produce();
            world.succeed(List.of(send, recv));
            Tensors.assertSame(tensor, whole, "received whole");
            TensorStream received = window(WINDOW, DataType.UINT8, BYTES);
            recv = world.group(0).submit(Call.recv(received, 1, 0, DEFAULT));
            send = world.group(1).isend(whole, 0, 0, DEFAULT);
            new Party(world, received, tensor, 2, faults).consume();
            world.succeed(List.of(send, recv));
            assertTrue(faults.isEmpty(), faults::toString);
        }
    }

    @OnEveryTransport
    void shouldBroadcastATensorThroughSmallWindows(Harness.Factory factory) {
        TensorView tensor = TensorView.of(Tensors.pattern(BYTES, 7).segment(), DataType.FLOAT64);
        for (String algorithm : List.of("chain", "binomial")) {
            Queue<String> faults = new ConcurrentLinkedQueue<>();
            try (Harness world = factory.start(4, WorldOptions.DEFAULT)) {
                List<TensorStream> streams = new ArrayList<>();
                List<Work> works = new ArrayList<>();
                for (int rank = 0; rank < 4; rank++) {
                    streams.add(window(8 * (WINDOW / 8 / (rank + 1)), DataType.FLOAT64, BYTES / 8));
                    works.add(world.group(rank)
                            .submit(Call.broadcast(streams.get(rank), 1, rank == 1, DEFAULT.withAlgorithm(algorithm))));
                }
                for (int rank = 0; rank < 4; rank++) {
                    Party party = new Party(world, streams.get(rank), tensor, rank, faults);
                    world.after(Duration.ZERO, rank == 1 ? party::produce : party::consume);
                }
                world.succeed(works);
                assertEquals(BYTES, streams.get(1).consumed());
                assertTrue(faults.isEmpty(), faults::toString);
            }
        }
    }

    @OnEveryTransport
    void shouldGiveResultsWhileInputStillComesIn(Harness.Factory factory) {
        for (String algorithm : List.of("ring", "recursive_doubling")) {
            for (boolean inPlace : new boolean[] {false, true}) {
                try (Harness world = factory.start(3, WorldOptions.DEFAULT)) {
                    overlap(world, DEFAULT.withAlgorithm(algorithm), inPlace);
                }
            }
        }
    }

    private static void overlap(Harness world, CallOptions options, boolean inPlace) {
        int count = 300_000;
        TensorView expected = Reference.result(DataType.FLOAT32, count, ReduceOp.SUM, 3);
        Queue<String> faults = new ConcurrentLinkedQueue<>();
        List<Work> works = new ArrayList<>();
        List<Party> producers = new ArrayList<>();
        List<TensorStream> outputs = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            TensorView given = Tensors.zeros(DataType.FLOAT32, count);
            TensorView taken = inPlace ? given : Tensors.zeros(DataType.FLOAT32, count);
            TensorStream input = TensorStream.through(given.segment(), DataType.FLOAT32, count);
            TensorStream output = TensorStream.output(taken);
            watch(output, expected, faults);
            outputs.add(output);
            works.add(world.group(rank).submit(Call.allReduce(input, output, ReduceOp.SUM, options)));
            TensorView values = Reference.input(DataType.FLOAT32, count, ReduceOp.SUM, 3, rank);
            producers.add(new Party(world, input, values, rank, faults));
        }
        produce(world, producers, 2L * count);
        // Half of the input makes at least the first chunk of three final on all ranks.
        world.passUntil(
                () -> outputs.stream().allMatch(output -> output.written() >= 4L * count / 3), "no result comes out");
        assertTrue(outputs.stream().allMatch(output -> output.written() <= 2L * count));
        produce(world, producers, 4L * count);
        world.succeed(works);
        outputs.forEach(output -> assertEquals(output.byteSize(), output.written()));
        assertTrue(faults.isEmpty(), faults::toString);
    }

    private static void produce(Harness world, List<Party> producers, long limit) {
        for (Party producer : producers) {
            producer.limit = limit;
            world.after(Duration.ZERO, producer::produce);
        }
    }

    /** What is said to be written never shrinks and holds final values the moment it is said. */
    private static void watch(TensorStream output, TensorView expected, Queue<String> faults) {
        long[] seen = new long[1];
        output.onWritten(() -> {
            long written = output.written();
            if (written <= seen[0] || written > output.byteSize()) {
                faults.add("written " + written + " after " + seen[0]);
            }
            MemorySegment fresh = output.at(seen[0], written - seen[0]);
            if (expected.segment().asSlice(seen[0], written - seen[0]).mismatch(fresh) != -1) {
                faults.add("not final between " + seen[0] + " and " + written);
            }
            seen[0] = written;
        });
    }
}

package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.planner.AlgorithmRegistry;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import io.parex.schedule.Step.Send;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.world.Trial.Builder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the running engine sends, by its counters, is what the schedules say, and within what the algorithms promise.
 */
class TrafficTest {
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;

    /** What a rank has sent. */
    private record Sent(long messages, long bytes) {

        Sent minus(Sent other) {
            return new Sent(messages - other.messages, bytes - other.bytes);
        }
    }

    private static List<Sent> sent(Harness world) {
        return world.worlds().stream()
                .map(rank -> new Sent(
                        rank.peers().stream().mapToLong(PeerStats::messagesOut).sum(),
                        rank.peers().stream().mapToLong(PeerStats::bytesOut).sum()))
                .toList();
    }

    /** What each rank sends during a call. */
    private static List<Sent> during(Harness world, Runnable call) {
        List<Sent> before = sent(world);
        call.run();
        List<Sent> after = sent(world);
        return IntStream.range(0, world.size())
                .mapToObj(rank -> after.get(rank).minus(before.get(rank)))
                .toList();
    }

    private static Sent scheduled(Schedule schedule, int valueBytes, int partialBytes) {
        List<Send> sends = new ArrayList<>();
        schedule.steps().forEach(step -> {
            if (step instanceof Send send) {
                sends.add(send);
            }
        });
        return new Sent(
                sends.size(),
                sends.stream()
                        .mapToLong(send -> send.length()
                                * (schedule.primitive().reducing()
                                                && send.source().buffer().isScratch()
                                        ? partialBytes
                                        : valueBytes))
                        .sum());
    }

    static Stream<Arguments> algorithms() {
        return AlgorithmRegistry.standard().all().stream()
                .flatMap(algorithm -> Stream.of(
                                algorithm.primitive(), algorithm.primitive().vForm())
                        .distinct()
                        .filter(primitive -> algorithm.handles(primitive, 5))
                        .map(primitive -> Arguments.of(primitive, algorithm.name())));
    }

    @ParameterizedTest(name = "{0} by {1}")
    @MethodSource("algorithms")
    void shouldSendWhatTheScheduleSays(Primitive primitive, String algorithm) {
        for (int size : new int[] {2, 3, 4, 5, 8}) {
            int root = size - 1;
            try (Harness world = Harness.Factory.LOCAL.start(size)) {
                for (long count : new long[] {0, 1, 64 * KIB / 4, 90_001}) {
                    Builder builder =
                            Builder.of(primitive, DataType.INT32, size, root).by(algorithm);
                    List<Sent> actual =
                            during(world, () -> builder.each(count, false).run(world));
                    long whole = primitive.isBlocked() ? count * size : count;
                    List<Sent> expected = IntStream.range(0, size)
                            .mapToObj(rank -> Problem.of(
                                    primitive, rank, size, primitive == Primitive.BARRIER ? 0 : whole, root, false))
                            .map(problem -> AlgorithmRegistry.standard()
                                    .find(primitive, algorithm)
                                    .schedule(problem))
                            .map(schedule -> scheduled(schedule, Integer.BYTES, Integer.BYTES))
                            .toList();
                    assertEquals(expected, actual, size + " ranks, " + count + " elements");
                }
            }
        }
    }

    private static Function<ProcessGroup, Work> allReduce(DataType type, long count, int size) {
        TensorView input = Tensors.zeros(type, count); // only read
        List<TensorView> outputs = IntStream.range(0, size)
                .mapToObj(rank -> Tensors.zeros(type, count))
                .toList();
        return group -> group.allReduce(input, outputs.get(group.rank()), ReduceOp.SUM, CallOptions.DEFAULT);
    }

    /** Partial sums of halves travel as float32, by every algorithm. */
    @ParameterizedTest
    @EnumSource(
            value = DataType.class,
            names = {"FLOAT16", "BFLOAT16"})
    void shouldSendPartialSumsOfHalvesInTheWidthOfTheAccumulator(DataType type) {
        try (Harness world = Harness.Factory.LOCAL.start(5)) {
            Function<ProcessGroup, Work> call = allReduce(type, 70_001, 5);
            for (var algorithm : AlgorithmRegistry.standard().of(Primitive.ALL_REDUCE)) {
                TensorView input = Tensors.zeros(type, 70_001);
                List<Sent> actual = during(
                        world,
                        () -> world.succeed(world.onAll(group -> group.allReduce(
                                input,
                                Tensors.zeros(type, 70_001),
                                ReduceOp.SUM,
                                CallOptions.DEFAULT.withAlgorithm(algorithm.name())))));
                List<Sent> expected = IntStream.range(0, 5)
                        .mapToObj(
                                rank -> algorithm.schedule(Problem.of(Primitive.ALL_REDUCE, rank, 5, 70_001, 0, false)))
                        .map(schedule -> scheduled(schedule, Short.BYTES, Float.BYTES))
                        .toList();
                assertEquals(expected, actual, algorithm.name());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9, 16})
    void shouldSendFewMessagesForASmallAllReduce(int size) {
        long most = 2L * (Integer.SIZE - Integer.numberOfLeadingZeros(size - 1));
        try (Harness world = Harness.Factory.LOCAL.start(size)) {
            for (long bytes : new long[] {4, KIB, 16 * KIB, 64 * KIB}) {
                Function<ProcessGroup, Work> call = allReduce(DataType.FLOAT32, bytes / 4, size);
                for (Sent each : during(world, () -> world.succeed(world.onAll(call)))) {
                    assertTrue(each.messages() <= most, size + " ranks, " + bytes + " bytes: " + each);
                }
            }
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void shouldSendAsFewBytesAsCanBeForALargeAllReduce(int size) {
        try (Harness world = Harness.Factory.LOCAL.start(size)) {
            assertBytes(world, DataType.FLOAT32, 2.0);
            assertBytes(world, DataType.BFLOAT16, 3.0);
        }
    }

    private static void assertBytes(Harness world, DataType type, double factor) {
        int size = world.size();
        long bytes = 64 * MIB;
        Function<ProcessGroup, Work> call = allReduce(type, bytes / type.bytes(), size);
        double most = 1.01 * factor * (size - 1) / size * bytes;
        for (Sent each : during(world, () -> world.succeed(world.onAll(call)))) {
            assertTrue(each.bytes() <= most, size + " ranks, " + type + ": " + each + ", at most " + most);
        }
    }

    @Test
    void shouldSendALargeBroadcastOnceFromTheRoot() {
        long bytes = 64 * MIB;
        for (int size : new int[] {2, 3, 4, 5, 8, 9}) {
            TensorView tensor = Tensors.zeros(DataType.FLOAT32, bytes / 4);
            try (Harness world = Harness.Factory.LOCAL.start(size)) {
                TensorView output = Tensors.zeros(DataType.FLOAT32, bytes / 4); // all write the same
                for (String algorithm : List.of("chain", "circulant")) {
                    CallOptions options = CallOptions.DEFAULT.withAlgorithm(algorithm);
                    List<Sent> sent = during(
                            world,
                            () -> world.succeed(world.onAll(
                                    group -> group.broadcast(group.rank() == 1 ? tensor : output, 1, options))));
                    assertTrue(
                            sent.get(1).bytes() <= 1.01 * bytes,
                            algorithm + ", " + size + " ranks: " + sent.get(1) + ", "
                                    + sent.get(1).bytes() / (double) bytes);
                }
            }
        }
    }
}

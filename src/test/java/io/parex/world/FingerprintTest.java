package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.protocol.Descriptor;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Ranks that make different calls are told so, with both calls and what differs; nothing is written. */
class FingerprintTest {
    private static final String RING = "ring";

    /** One rank's call. */
    private record Asked(Primitive primitive, DataType type, ReduceOp op, int root, long count, CallOptions options) {

        static Asked allReduce(DataType type, ReduceOp op, long count, String algorithm, String name) {
            CallOptions options = CallOptions.DEFAULT.withAlgorithm(algorithm).withName(name);
            return new Asked(Primitive.ALL_REDUCE, type, op, -1, count, options);
        }

        static Asked broadcast(DataType type, long count, int root) {
            CallOptions options = CallOptions.DEFAULT.withAlgorithm("chain");
            return new Asked(Primitive.BROADCAST, type, null, root, count, options);
        }

        Work submit(ProcessGroup group, TensorView tensor) {
            return switch (primitive) {
                case ALL_REDUCE -> group.allReduce(Tensors.copy(tensor), tensor, op, options);
                case BROADCAST -> group.broadcast(tensor, root, options);
                default -> group.barrier(options);
            };
        }

        Descriptor descriptor() {
            return new Descriptor(primitive, type, op, root, count, "", options.algorithm(), options.name());
        }
    }

    static Stream<Arguments> differences() {
        return OnEveryTransport.Transports.all()
                .flatMap(factory -> Stream.of(1_000, 100_000).flatMap(count -> {
                    Asked base = Asked.allReduce(DataType.INT32, ReduceOp.SUM, count, RING, "layer1");
                    return Stream.of(
                                    Asked.allReduce(DataType.INT32, ReduceOp.SUM, count + 1, RING, "layer1"),
                                    Asked.allReduce(DataType.INT32, ReduceOp.SUM, 0, RING, "layer1"),
                                    Asked.allReduce(DataType.FLOAT32, ReduceOp.SUM, count, RING, "layer1"),
                                    Asked.allReduce(DataType.INT32, ReduceOp.MAX, count, RING, "layer1"),
                                    Asked.allReduce(
                                            DataType.INT32, ReduceOp.SUM, count, "recursive_doubling", "layer1"),
                                    Asked.allReduce(DataType.INT32, ReduceOp.SUM, count, RING, "layer2"),
                                    Asked.broadcast(DataType.INT32, count, 2))
                            .map(other -> Arguments.of(factory, base, other));
                }));
    }

    @ParameterizedTest(name = "{0}, {2}")
    @MethodSource("differences")
    void shouldFailEveryRankAndWriteNothing(Harness.Factory factory, Asked base, Asked other) {
        try (Harness world = factory.start(4)) {
            for (int deviant = 0; deviant < 4; deviant++) {
                List<TensorView> tensors = new ArrayList<>();
                List<Work> works = new ArrayList<>();
                for (int rank = 0; rank < 4; rank++) {
                    Asked asked = rank == deviant ? other : base;
                    tensors.add(Tensors.filled(asked.type, asked.count, i -> 7));
                    works.add(asked.submit(world.group(rank), tensors.get(rank)));
                }
                long start = world.nanoTime();
                for (int rank = 0; rank < 4; rank++) {
                    String text = world.failure(ErrorKind.MISMATCH, works.get(rank));
                    assertNames(text, base.descriptor(), other.descriptor(), 2 * deviant);
                    Asked asked = rank == deviant ? other : base;
                    Tensors.assertSame(
                            Tensors.filled(asked.type, asked.count, i -> 7), tensors.get(rank), "rank " + rank);
                }
                assertTrue(world.nanoTime() - start < 2_000_000_000L, "it took more than 2 s");
                world.assertUsable();
            }
        }
    }

    private static void assertNames(String text, Descriptor one, Descriptor other, int call) {
        assertTrue(text.contains("make different calls: "), text);
        assertTrue(text.contains(one.toString()) && text.contains(other.toString()), text);
        String differences = String.join(", ", one.differences(other));
        String reversed = String.join(", ", other.differences(one));
        assertTrue(text.contains(": " + differences + " (") || text.contains(": " + reversed + " ("), text);
        assertTrue(text.contains(" of group world, call #" + call + " "), text);
        assertTrue(text.endsWith("the group can be used for the next call"), text);
    }

    static Stream<Arguments> disagreements() {
        return OnEveryTransport.Transports.all()
                .flatMap(factory -> Stream.of(
                                List.of(
                                        Asked.broadcast(DataType.FLOAT32, 6, 0),
                                        Asked.broadcast(DataType.INT64, 14, 0)),
                                List.of(Asked.broadcast(DataType.FLOAT32, 2, 0), Asked.broadcast(DataType.INT64, 1, 0)),
                                List.of(
                                        Asked.broadcast(DataType.INT32, 6, 0),
                                        Asked.broadcast(DataType.INT32, 50_000, 0)),
                                List.of(
                                        Asked.broadcast(DataType.INT32, 50_000, 0),
                                        Asked.broadcast(DataType.INT32, 6, 0)),
                                List.of(
                                        Asked.broadcast(DataType.INT32, 50_000, 0),
                                        Asked.broadcast(DataType.FLOAT32, 50_000, 0)),
                                List.of(
                                        Asked.broadcast(DataType.INT32, 50_000, 0),
                                        Asked.broadcast(DataType.INT32, 50_001, 0)),
                                List.of(Asked.broadcast(DataType.INT32, 0, 0), Asked.broadcast(DataType.INT32, 1, 0)),
                                List.of(Asked.broadcast(DataType.INT32, 6, 0), Asked.broadcast(DataType.INT32, 6, 1)),
                                List.of(Asked.broadcast(DataType.INT32, 6, 1), Asked.broadcast(DataType.INT32, 6, 0)),
                                List.of(
                                        Asked.broadcast(DataType.INT32, 50_000, 0),
                                        Asked.broadcast(DataType.INT32, 50_000, 1)),
                                List.of(
                                        Asked.broadcast(DataType.INT32, 50_000, 1),
                                        Asked.broadcast(DataType.INT32, 50_000, 0)))
                        .map(pair -> Arguments.of(factory, pair.get(0), pair.get(1))));
    }

    /**
     * C10 and C61: in a world of two each is the other's neighbour, so both fail in the call, also where both send or
     * both receive.
     */
    @ParameterizedTest(name = "{0}, {1} and {2}")
    @MethodSource("disagreements")
    void shouldFailBothSidesOfABroadcast(Harness.Factory factory, Asked zero, Asked one) {
        for (Duration late : List.of(Duration.ZERO, Duration.ofMillis(150))) {
            try (Harness world = factory.start(2)) {
                TensorView atZero = Tensors.filled(zero.type, zero.count, i -> 7);
                TensorView atOne = Tensors.filled(one.type, one.count, i -> 9);
                Work first = zero.submit(world.group(0), atZero);
                world.pass(late);
                long start = world.nanoTime();
                Work second = one.submit(world.group(1), atOne);
                for (Work work : List.of(first, second)) {
                    assertNames(world.failure(ErrorKind.MISMATCH, work), zero.descriptor(), one.descriptor(), 0);
                }
                assertTrue(world.nanoTime() - start < 2_000_000_000L, "it took more than 2 s");
                Tensors.assertSame(Tensors.filled(zero.type, zero.count, i -> 7), atZero, "rank 0");
                Tensors.assertSame(Tensors.filled(one.type, one.count, i -> 9), atOne, "rank 1");
                world.assertUsable();
            }
        }
    }

    /** C79: two callers on one rank may swap; a name keeps their calls apart, even where everything else is equal. */
    @OnEveryTransport
    void shouldNeverAddUpCallsOfDifferentNames(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            List<Work> works = new ArrayList<>();
            for (int rank = 0; rank < 2; rank++) {
                for (String name : rank == 0 ? List.of("A", "B") : List.of("B", "A")) {
                    TensorView tensor = Tensors.ints(name.equals("A") ? 1 : 100);
                    works.add(world.group(rank)
                            .allReduce(tensor, tensor, ReduceOp.SUM, CallOptions.DEFAULT.withName(name)));
                }
            }
            for (Work work : works) {
                String text = world.failure(ErrorKind.MISMATCH, work);
                assertTrue(text.contains(": name A / B (") || text.contains(": name B / A ("), text);
            }
            assertEquals(0, world.worlds().get(0).inFlight());
            world.assertUsable();
        }
    }
}

package io.parex.world;

import io.parex.planner.AlgorithmRegistry;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.world.Trial.Builder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of every primitive: what a plain reference says, in and out of place, and inputs as they were. */
class PrimitivesContractTest {
    private static final List<Primitive> PLAIN = List.of(
            Primitive.BROADCAST,
            Primitive.SCATTER,
            Primitive.GATHER,
            Primitive.ALL_GATHER,
            Primitive.REDUCE,
            Primitive.ALL_REDUCE,
            Primitive.REDUCE_SCATTER,
            Primitive.ALL_TO_ALL);

    private static final List<DataType> ARITHMETIC =
            List.of(DataType.INT32, DataType.INT64, DataType.FLOAT32, DataType.FLOAT64);

    static Stream<Arguments> plainAndSizes() {
        return PLAIN.stream()
                .flatMap(primitive -> Stream.of(1, 2, 3, 4, 5, 8).map(size -> Arguments.of(primitive, size)));
    }

    @ParameterizedTest(name = "{0} on {1} ranks")
    @MethodSource("plainAndSizes")
    void shouldGiveWhatTheReferenceSays(Primitive primitive, int size) {
        try (Harness world = Harness.Factory.CALM.start(size)) {
            for (int root : roots(primitive, size)) {
                Builder builder = Builder.of(primitive, DataType.INT32, size, root);
                LongStream.of(0, 1, size - 1, size + 1, 1000).distinct().forEach(count -> {
                    builder.each(count, false).run(world);
                    builder.each(count, true).run(world);
                });
            }
        }
    }

    private static int[] roots(Primitive primitive, int size) {
        return primitive.rooted() ? IntStream.range(0, size).toArray() : new int[] {0};
    }

    static Stream<Arguments> everywhere() {
        return OnEveryTransport.Transports.all()
                .flatMap(factory -> Stream.of(2, 3, 4).map(size -> Arguments.of(factory, size)));
    }

    @ParameterizedTest(name = "{0}, {1} ranks")
    @MethodSource("everywhere")
    void shouldPassBlocksOnBothSidesOfTheEagerLimit(Harness.Factory factory, int size) {
        try (Harness world = factory.start(size)) {
            for (Primitive primitive : PLAIN) {
                Builder builder = Builder.of(primitive, DataType.INT32, size, size - 1);
                for (long count : new long[] {7, 20_011}) {
                    builder.each(count, false).run(world);
                    builder.each(count, true).run(world);
                }
            }
        }
    }

    @ParameterizedTest(name = "{0}, {1} ranks")
    @MethodSource("everywhere")
    void shouldTakeBlocksOfAnyLengths(Harness.Factory factory, int size) {
        try (Harness world = factory.start(size)) {
            for (Primitive primitive :
                    PLAIN.stream().filter(Primitive::isBlocked).toList()) {
                Builder builder = Builder.of(primitive.vForm(), DataType.INT32, size, 0);
                for (long[] lengths : lengths(size)) {
                    builder.blocks(lengths, false).run(world);
                    builder.blocks(lengths, true).run(world);
                    if (primitive != Primitive.REDUCE_SCATTER) {
                        builder.open(lengths).run(world);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Primitive.class,
            names = {"SCATTER_V", "GATHER_V", "ALL_GATHER_V", "REDUCE_SCATTER_V", "ALL_TO_ALL_V"})
    void shouldTakeBlocksOfAnyLengthsOnGroupsOfAnySize(Primitive primitive) {
        for (int size : new int[] {1, 2, 3, 4, 5, 8}) {
            try (Harness world = Harness.Factory.CALM.start(size)) {
                for (int root : roots(primitive, size)) {
                    Builder builder = Builder.of(primitive, DataType.FLOAT64, size, root);
                    for (long[] lengths : lengths(size)) {
                        builder.blocks(lengths, false).run(world);
                        builder.blocks(lengths, true).run(world);
                        if (primitive != Primitive.REDUCE_SCATTER_V) {
                            builder.open(lengths).run(world);
                        }
                    }
                }
            }
        }
    }

    /** Zeros at any place, nothing but zeros, and one block above the eager limit. */
    private static List<long[]> lengths(int size) {
        List<long[]> all = new ArrayList<>();
        all.add(new long[size]);
        for (int zero = 0; zero < size; zero++) {
            int empty = zero;
            all.add(IntStream.range(0, size)
                    .mapToLong(rank -> rank == empty ? 0 : 3 + rank)
                    .toArray());
            all.add(IntStream.range(0, size)
                    .mapToLong(rank -> rank == empty ? 5 : 0)
                    .toArray());
        }
        all.add(IntStream.range(0, size)
                .mapToLong(rank -> rank == size - 1 ? 17_003 : 2 * rank)
                .toArray());
        return all;
    }

    @ParameterizedTest
    @EnumSource(
            value = Primitive.class,
            names = {"BROADCAST", "SCATTER", "GATHER", "ALL_GATHER", "ALL_TO_ALL"})
    void shouldMoveEveryTypeBitByBit(Primitive primitive) {
        try (Harness world = Harness.Factory.CALM.start(3)) {
            for (DataType type : DataType.values()) {
                Builder.of(primitive, type, 3, 1).each(300, false).run(world);
                Builder.of(primitive.vForm(), type, 3, 1).each(300, true).run(world);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Primitive.class,
            names = {"REDUCE", "REDUCE_SCATTER", "ALL_REDUCE", "REDUCE_SCATTER_V"})
    void shouldReduceEveryTypeByEveryOperation(Primitive primitive) {
        for (int size : new int[] {1, 3, 4}) {
            try (Harness world = Harness.Factory.CALM.start(size)) {
                for (DataType type : ARITHMETIC) {
                    for (ReduceOp op :
                            List.of(ReduceOp.SUM, ReduceOp.AVG, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.PRODUCT)) {
                        Builder builder =
                                Builder.of(primitive, type, size, size - 1).with(op);
                        builder.each(11, false).run(world);
                        builder.each(11, true).run(world);
                    }
                }
            }
        }
    }

    static Stream<Arguments> algorithms() {
        // Broadcast and all_reduce have contracts of their own.
        return PLAIN.stream()
                .filter(primitive -> primitive.isBlocked() || primitive == Primitive.REDUCE)
                .flatMap(primitive -> Stream.of(primitive, primitive.vForm()).distinct())
                .flatMap(asked -> AlgorithmRegistry.standard().of(asked.base()).stream()
                        .flatMap(algorithm -> Stream.of(2, 3, 4)
                                .filter(size -> algorithm.handles(asked, size))
                                .map(size -> Arguments.of(asked, algorithm.name(), size))));
    }

    @ParameterizedTest(name = "{0} by {1} on {2} ranks")
    @MethodSource("algorithms")
    void shouldGiveTheSameByEveryAlgorithm(Primitive asked, String algorithm, int size) {
        for (Harness.Factory factory : List.of(Harness.Factory.LOCAL, Harness.Factory.ROUGH)) {
            try (Harness world = factory.start(size)) {
                Builder builder =
                        Builder.of(asked, DataType.INT32, size, size - 1).by(algorithm);
                for (long count : new long[] {0, 1, 5, 40_001}) {
                    builder.each(count, false).run(world);
                    builder.each(count, true).run(world);
                }
                if (asked.isV()) {
                    lengths(size)
                            .forEach(lengths -> builder.blocks(lengths, false).run(world));
                }
            }
        }
    }

    @OnEveryTransport
    void shouldCarryManyCallsAtOnce(Harness.Factory factory) {
        try (Harness world = factory.start(4)) {
            List<Trial> trials = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                long count = i == 3 ? 17_000 : i;
                for (Primitive primitive : PLAIN) {
                    Builder builder = Builder.of(primitive, DataType.INT64, 4, i);
                    trials.add(builder.each(count, i % 2 == 0));
                    if (primitive.isBlocked() && primitive != Primitive.REDUCE_SCATTER) {
                        trials.add(builder.open(new long[] {i, 0, count, 3}));
                    }
                }
            }
            List<List<Work>> works =
                    trials.stream().map(trial -> trial.start(world)).toList();
            world.succeed(works.stream().flatMap(List::stream).toList());
            for (int i = 0; i < trials.size(); i++) {
                trials.get(i).check(works.get(i));
            }
        }
    }
}

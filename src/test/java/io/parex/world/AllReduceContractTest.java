package io.parex.world;

import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of all_reduce, for every algorithm: right values, the same bits on all ranks, input as it was. */
class AllReduceContractTest {
    private static final List<String> ALGORITHMS = List.of(
            "ring",
            "recursive_doubling",
            "rabenseifner",
            "tree",
            "double_tree",
            "direct",
            "direct_blocks",
            "hierarchical");
    private static final List<Integer> SIZES = List.of(1, 2, 3, 4, 5, 7, 8, 13);
    private static final List<DataType> TYPES =
            List.of(DataType.INT32, DataType.INT64, DataType.FLOAT32, DataType.FLOAT64);
    private static final List<ReduceOp> OPS =
            List.of(ReduceOp.SUM, ReduceOp.AVG, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.PRODUCT);

    /** One call as all ranks make it. */
    private record Case(String algorithm, DataType type, ReduceOp op, long count, boolean inPlace) {}

    static Stream<Arguments> grid() {
        return ALGORITHMS.stream().flatMap(name -> SIZES.stream().map(size -> Arguments.of(name, size)));
    }

    @ParameterizedTest(name = "{0} on {1} ranks")
    @MethodSource("grid")
    void shouldReduceEveryTypeOpAndCount(String algorithm, int size) {
        try (Harness world = Harness.Factory.CALM.start(size)) {
            for (long count :
                    Stream.of(0, 1, size - 1, size, size + 1, 1000).distinct().toList()) {
                eachTypeAndOp(algorithm, count).forEach(each -> check(world, each));
            }
        }
    }

    static Stream<Arguments> realAndRough() {
        return ALGORITHMS.stream()
                .flatMap(name -> Stream.of(1, 2, 3, 5, 8)
                        .flatMap(size -> Stream.of(
                                        Named.of("local", Harness.Factory.LOCAL),
                                        Named.of("rough", Harness.Factory.ROUGH))
                                .map(factory -> Arguments.of(name, size, factory))));
    }

    @ParameterizedTest(name = "{0} on {1} ranks, {2}")
    @MethodSource("realAndRough")
    void shouldReduceOnRealLoopsAndInRoughWeather(String algorithm, int size, Harness.Factory factory) {
        try (Harness world = factory.start(size)) {
            for (long count : List.of(0, 1, size + 1)) {
                check(world, new Case(algorithm, DataType.FLOAT32, ReduceOp.SUM, count, false));
                check(world, new Case(algorithm, DataType.INT32, ReduceOp.AVG, count, true));
            }
            eachTypeAndOp(algorithm, 1000).filter(Case::inPlace).forEach(each -> check(world, each));
        }
    }

    static Stream<Arguments> large() {
        return ALGORITHMS.stream()
                .flatMap(name -> Stream.of(2, 3, 5)
                        .flatMap(size ->
                                OnEveryTransport.Transports.all().map(factory -> Arguments.of(name, size, factory))));
    }

    @ParameterizedTest(name = "{0} on {1} ranks, {2}")
    @MethodSource("large")
    void shouldReduceTensorsOfManySegments(String algorithm, int size, Harness.Factory factory) {
        try (Harness world = factory.start(size)) {
            check(world, new Case(algorithm, DataType.INT32, ReduceOp.AVG, 100_000, false));
            check(world, new Case(algorithm, DataType.FLOAT64, ReduceOp.MAX, 100_003, true));
            check(world, new Case(algorithm, DataType.FLOAT32, ReduceOp.SUM, 1_000_000, size % 2 == 0));
        }
    }

    private static Stream<Case> eachTypeAndOp(String algorithm, long count) {
        return TYPES.stream()
                .flatMap(type -> OPS.stream()
                        .flatMap(op ->
                                Stream.of(false, true).map(inPlace -> new Case(algorithm, type, op, count, inPlace))));
    }

    private static void check(Harness world, Case each) {
        int size = world.size();
        List<TensorView> inputs = new ArrayList<>();
        List<TensorView> outputs = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            TensorView input = Reference.input(each.type, each.count, each.op, size, rank);
            inputs.add(input);
            outputs.add(each.inPlace ? input : Tensors.zeros(each.type, each.count));
        }
        CallOptions options = CallOptions.DEFAULT.withAlgorithm(each.algorithm);
        world.succeed(world.onAll(
                group -> group.allReduce(inputs.get(group.rank()), outputs.get(group.rank()), each.op, options)));
        TensorView expected = Reference.result(each.type, each.count, each.op, size);
        for (int rank = 0; rank < size; rank++) {
            Tensors.assertSame(expected, outputs.get(rank), each + " on rank " + rank);
            if (!each.inPlace) {
                TensorView before = Reference.input(each.type, each.count, each.op, size, rank);
                Tensors.assertSame(before, inputs.get(rank), "input of " + each + " on rank " + rank);
            }
        }
    }
}

package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.algorithm.Algorithm;
import io.parex.planner.AlgorithmRegistry;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Values that reductions have got wrong elsewhere, by their numbers in the collection of reported cases: by every
 * algorithm of every primitive that reduces, with the same bits on all ranks.
 */
class ReportedValuesTest {
    private static final double INFINITY = Double.POSITIVE_INFINITY;

    /**
     * A reduction.
     *
     * @param ranks what each gives
     */
    private record Case(String number, DataType type, ReduceOp op, double[][] ranks, double... expected) {}

    private static List<Case> cases() {
        double[][] halves = {{1.5, -2.25, 3}, {0.5, 0.25, 1}};
        double[][] bools = {{1, 0, 1}, {0, 0, 1}, {1, 0, 1}};
        double[][] bits = {{12}, {10}};
        double[][] wholes = {{-1, 2, 3, -5}, {-1, 2, 3, -5}};
        double[][] large = {{60_000}, {60_000}, {-60_000}};
        double[][] infinite = {{INFINITY}, {-INFINITY}};
        List<Case> cases = new ArrayList<>(List.of(
                new Case("C12", DataType.BFLOAT16, ReduceOp.SUM, halves, 2, -2, 4),
                new Case("C12", DataType.BFLOAT16, ReduceOp.MAX, halves, 1.5, 0.25, 3),
                new Case("C12", DataType.BFLOAT16, ReduceOp.MIN, halves, 0.5, -2.25, 1),
                new Case("C12", DataType.BFLOAT16, ReduceOp.AVG, halves, 1, -1, 2),
                new Case("C12", DataType.BFLOAT16, ReduceOp.PRODUCT, halves, 0.75, -0.5625, 3),
                new Case("C14", DataType.FLOAT16, ReduceOp.SUM, large, 60_000),
                new Case("C14", DataType.FLOAT16, ReduceOp.AVG, Arrays.copyOf(large, 2), 60_000),
                new Case("C15", DataType.FLOAT16, ReduceOp.SUM, new double[][] {{40_000}, {40_000}}, INFINITY),
                new Case("C15", DataType.FLOAT16, ReduceOp.SUM, infinite, Double.NaN),
                new Case("C15", DataType.FLOAT16, ReduceOp.SUM, new double[][] {{65_504}, {15}}, 65_504),
                new Case("C16", DataType.INT8, ReduceOp.SUM, new double[][] {{120}, {100}}, -36),
                new Case("C16", DataType.UINT8, ReduceOp.SUM, new double[][] {{200}, {100}}, 44),
                new Case("C16", DataType.INT32, ReduceOp.PRODUCT, new double[][] {{65_536}, {65_536}}, 0),
                new Case("C18", DataType.BOOL, ReduceOp.SUM, bools, 1, 0, 1),
                new Case("C18", DataType.BOOL, ReduceOp.MAX, bools, 1, 0, 1),
                new Case("C18", DataType.BOOL, ReduceOp.PRODUCT, bools, 0, 0, 1),
                new Case("C18", DataType.BOOL, ReduceOp.MIN, bools, 0, 0, 1),
                new Case("C19", DataType.INT32, ReduceOp.BAND, bits, 8),
                new Case("C19", DataType.INT32, ReduceOp.BOR, bits, 14),
                new Case("C19", DataType.INT32, ReduceOp.BXOR, bits, 6),
                new Case("C20", DataType.INT16, ReduceOp.SUM, wholes, -2, 4, 6, -10)));
        for (int shift = 0; shift < 4; shift++) {
            double[][] ranks = new double[4][];
            for (int rank = 0; rank < 4; rank++) {
                ranks[rank] = new double[] {List.of(1d, Double.NaN, 3d, 4d).get((rank + shift) % 4), rank + 1};
            }
            for (DataType type : List.of(DataType.FLOAT16, DataType.BFLOAT16, DataType.FLOAT32, DataType.FLOAT64)) {
                cases.add(new Case("C25", type, ReduceOp.MIN, ranks, Double.NaN, 1));
                cases.add(new Case("C25", type, ReduceOp.MAX, ranks, Double.NaN, 4));
            }
        }
        return cases;
    }

    static Stream<Arguments> algorithms() {
        return Stream.of(Primitive.ALL_REDUCE, Primitive.REDUCE, Primitive.REDUCE_SCATTER)
                .flatMap(primitive -> AlgorithmRegistry.standard().of(primitive).stream()
                        .map(algorithm -> Arguments.of(primitive, algorithm.name(), algorithm)));
    }

    @ParameterizedTest(name = "{0} by {1}")
    @MethodSource("algorithms")
    void shouldReduceToWhatIsExpected(Primitive primitive, String name, Algorithm algorithm) {
        for (int size = 2; size <= 4; size++) {
            int ranks = size;
            if (!algorithm.handles(primitive, ranks)) {
                continue;
            }
            try (Harness world = Harness.Factory.CALM.start(ranks)) {
                cases().stream()
                        .filter(each -> each.ranks.length == ranks)
                        .forEach(each -> check(world, primitive, name, each));
            }
        }
    }

    private static void check(Harness world, Primitive primitive, String algorithm, Case each) {
        int size = world.size();
        int root = size - 1;
        CallOptions options = CallOptions.DEFAULT.withAlgorithm(algorithm);
        List<TensorView> outputs = IntStream.range(0, size)
                .mapToObj(rank -> Tensors.zeros(each.type, each.expected.length))
                .toList();
        world.succeed(world.onAll(group -> {
            TensorView input = Tensors.of(each.type, each.ranks[group.rank()]);
            TensorView output = outputs.get(group.rank());
            return switch (primitive) {
                case REDUCE -> group.reduce(input, group.rank() == root ? output : null, each.op, root, options);
                case REDUCE_SCATTER ->
                    group.reduceScatter(repeated(each, group.rank(), size), output, each.op, options);
                default -> group.allReduce(input, output, each.op, options);
            };
        }));
        TensorView expected = Tensors.of(each.type, each.expected);
        for (int rank = primitive == Primitive.REDUCE ? root : 0; rank < size; rank++) {
            Tensors.assertSame(
                    expected,
                    outputs.get(rank),
                    each.number + ", " + each.op + " of " + each.type + " on rank " + rank);
        }
    }

    /** The same values for each rank's block. */
    private static TensorView repeated(Case each, int rank, int size) {
        double[] block = each.ranks[rank];
        return Tensors.of(
                each.type,
                IntStream.range(0, size)
                        .boxed()
                        .flatMapToDouble(copy -> DoubleStream.of(block))
                        .toArray());
    }

    /** C18, C19 and C21: what is not computed is refused on every rank, and nothing is on its way. */
    @Test
    void shouldRefuseWhatIsNotComputedOnEveryRank() {
        try (Harness world = Harness.Factory.CALM.start(2)) {
            for (int rank = 0; rank < 2; rank++) {
                ProcessGroup group = world.group(rank);
                refused(group, DataType.BOOL, ReduceOp.AVG);
                for (ReduceOp op : List.of(ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR)) {
                    refused(group, DataType.FLOAT32, op);
                }
                refused(group, DataType.FLOAT8_E4M3, ReduceOp.SUM);
                refused(group, DataType.FLOAT8_E5M2, ReduceOp.SUM);
                assertEquals(0, world.worlds().get(rank).inFlight());
            }
            world.assertUsable();
        }
    }

    private static void refused(ProcessGroup group, DataType type, ReduceOp op) {
        TensorView tensor = Tensors.zeros(type, 3);
        ParexException refusal =
                assertThrows(ParexException.class, () -> group.allReduce(tensor, tensor, op, CallOptions.DEFAULT));
        assertEquals(ErrorKind.UNSUPPORTED, refusal.kind(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(op.label() + " of " + type.label()), refusal.getMessage());
    }

    /** C20: two copies of what both have. */
    @Test
    void shouldGatherInt16() {
        try (Harness world = Harness.Factory.CALM.start(2)) {
            double[] given = {-1, 2, 3, -5};
            List<TensorView> outputs = IntStream.range(0, 2)
                    .mapToObj(rank -> Tensors.zeros(DataType.INT16, 8))
                    .toList();
            world.succeed(world.onAll(group -> group.allGather(
                    Tensors.of(DataType.INT16, given), outputs.get(group.rank()), CallOptions.DEFAULT)));
            TensorView both = Tensors.of(DataType.INT16, -1, 2, 3, -5, -1, 2, 3, -5);
            outputs.forEach(output -> Tensors.assertSame(both, output, "both"));
        }
    }
}

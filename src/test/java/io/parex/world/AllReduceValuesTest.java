package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.algorithm.Algorithm;
import io.parex.planner.AlgorithmRegistry;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values at which reductions elsewhere went wrong, from public reports. */
class AllReduceValuesTest {
    private static final String RING = "ring";
    private static final String DOUBLING = "recursive_doubling";

    @ParameterizedTest
    @ValueSource(strings = {RING, DOUBLING})
    void shouldLeaveTheInputOfAWorldOfOneAsItIs(String algorithm) {
        try (Harness world = Harness.Factory.LOCAL.start(1)) {
            for (ReduceOp op : List.of(ReduceOp.SUM, ReduceOp.AVG, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.PRODUCT)) {
                TensorView result = reduce(world, algorithm, op, rank -> Tensors.floats(1, 2, 3))
                        .getFirst();
                assertArrayEquals(new double[] {1, 2, 3}, Tensors.values(result), op.label());
            }
            TensorView tensor = Tensors.floats(1, 2, 3);
            world.await(world.group(0).broadcast(tensor, 0, CallOptions.DEFAULT));
            assertArrayEquals(new double[] {1, 2, 3}, Tensors.values(tensor));
            world.assertUsable();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {RING, DOUBLING})
    void shouldWrapAroundWhenIntegersOverflow(String algorithm) {
        try (Harness world = Harness.Factory.CALM.start(2)) {
            reduce(world, algorithm, ReduceOp.PRODUCT, rank -> Tensors.ints(65536))
                    .forEach(result -> assertEquals(0, Tensors.intValues(result)[0]));
            reduce(world, algorithm, ReduceOp.SUM, rank -> Tensors.ints(Integer.MAX_VALUE, 5))
                    .forEach(result -> assertArrayEquals(new int[] {-2, 10}, Tensors.intValues(result)));
        }
    }

    /** C22: not by the number of elements. */
    @ParameterizedTest
    @ValueSource(strings = {RING, DOUBLING})
    void shouldDivideAveragesByTheNumberOfRanks(String algorithm) {
        try (Harness world = Harness.Factory.CALM.start(4)) {
            double[] expected = IntStream.range(0, 10).mapToDouble(i -> 2.5).toArray();
            reduce(world, algorithm, ReduceOp.AVG, rank -> Tensors.filled(DataType.FLOAT32, 10, i -> rank + 1))
                    .forEach(result -> assertArrayEquals(expected, Tensors.values(result)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {RING, DOUBLING})
    void shouldTruncateAveragesOfIntegersTowardZeroAndNotOverflow(String algorithm) {
        try (Harness world = Harness.Factory.CALM.start(2)) {
            int[][] inputs = {{1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}, {2, -2, Integer.MAX_VALUE, -2}};
            reduce(world, algorithm, ReduceOp.AVG, rank -> Tensors.ints(inputs[rank]))
                    .forEach(result -> assertArrayEquals(
                            new int[] {1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE / 2 - 1},
                            Tensors.intValues(result)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {RING, DOUBLING})
    void shouldGiveNaNOnEveryRankWhereverItWas(String algorithm) {
        float[] numbers = {1, Float.NaN, 3, 4};
        try (Harness world = Harness.Factory.CALM.start(4)) {
            for (ReduceOp op : List.of(ReduceOp.MIN, ReduceOp.MAX)) {
                for (int shift = 0; shift < 4; shift++) {
                    int first = shift;
                    reduce(world, algorithm, op, rank -> Tensors.floats(numbers[(rank + first) % 4], rank))
                            .forEach(result -> {
                                assertTrue(Double.isNaN(Tensors.get(result, 0)), op + " from " + first);
                                assertEquals(op == ReduceOp.MIN ? 0 : 3, Tensors.get(result, 1));
                            });
                }
            }
        }
    }

    /** C29: three elements on five ranks, seven on three. */
    @ParameterizedTest
    @ValueSource(strings = {RING, DOUBLING})
    void shouldReduceFewerElementsThanRanksAndSizesThatDoNotDivide(String algorithm) {
        IntFunction<IntFunction<TensorView>> inputs =
                count -> rank -> Tensors.filled(DataType.INT32, count, i -> (rank + 1) * (i + 1));
        try (Harness world = Harness.Factory.CALM.start(5)) {
            reduce(world, algorithm, ReduceOp.SUM, inputs.apply(3))
                    .forEach(result -> assertArrayEquals(new int[] {15, 30, 45}, Tensors.intValues(result)));
        }
        try (Harness world = Harness.Factory.CALM.start(3)) {
            reduce(world, algorithm, ReduceOp.SUM, inputs.apply(7))
                    .forEach(result ->
                            assertArrayEquals(new int[] {6, 12, 18, 24, 30, 36, 42}, Tensors.intValues(result)));
        }
    }

    /** C27: whichever order of summation an algorithm has. */
    @OnEveryTransport
    void shouldGiveTheSameBitsOnAllRanksInEveryRun(Harness.Factory factory) {
        double[] numbers = {1e8, 1, -1e8, 1};
        List<String> algorithms = AlgorithmRegistry.standard().of(Primitive.ALL_REDUCE).stream()
                .map(Algorithm::name)
                .toList();
        Map<String, byte[]> first = new HashMap<>();
        for (int run = 0; run < 10; run++) {
            try (Harness world = factory.start(4)) {
                for (int again = 0; again < 10; again++) {
                    for (String algorithm : algorithms) {
                        List<TensorView> results = reduce(
                                world,
                                algorithm,
                                ReduceOp.SUM,
                                rank -> Tensors.filled(DataType.FLOAT32, 1000, i -> numbers[(int) ((rank + i) % 4)]));
                        first.putIfAbsent(algorithm, Tensors.bytes(results.getFirst()));
                        results.forEach(
                                result -> assertArrayEquals(first.get(algorithm), Tensors.bytes(result), algorithm));
                    }
                }
            }
        }
    }

    @Test
    void shouldChooseAnAlgorithmForEverySize() {
        try (Harness world = Harness.Factory.CALM.start(3)) {
            for (int count : new int[] {0, 1, 5000, 20_000, 100_000}) {
                TensorView expected = Reference.result(DataType.FLOAT32, count, ReduceOp.SUM, 3);
                reduce(
                                world,
                                null,
                                ReduceOp.SUM,
                                rank -> Reference.input(DataType.FLOAT32, count, ReduceOp.SUM, 3, rank))
                        .forEach(result -> Tensors.assertSame(expected, result, count + " elements"));
            }
        }
    }

    private static List<TensorView> reduce(
            Harness world, String algorithm, ReduceOp op, IntFunction<TensorView> inputOfRank) {
        List<TensorView> inputs =
                IntStream.range(0, world.size()).mapToObj(inputOfRank).toList();
        List<TensorView> outputs = inputs.stream()
                .map(input -> Tensors.zeros(input.type(), input.count()))
                .toList();
        CallOptions options = CallOptions.DEFAULT.withAlgorithm(algorithm);
        world.succeed(world.onAll(
                group -> group.allReduce(inputs.get(group.rank()), outputs.get(group.rank()), op, options)));
        return outputs;
    }
}

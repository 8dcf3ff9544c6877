package io.parex.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.algorithm.Worlds.InPlace;
import io.parex.planner.AlgorithmRegistry;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import io.parex.schedule.Step;
import io.parex.schedule.Validation;
import io.parex.schedule.WorldSchedules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongBinaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Real values: fewer elements than ranks, sizes that do not divide, more than 2^31 elements, order of operands. */
class AlgorithmValuesTest {
    private static final List<Algorithm> ALL = AlgorithmRegistry.standard().all();

    /** One number written after the other. */
    private static final LongBinaryOperator CONCATENATION =
            (left, right) -> Long.parseLong(Long.toString(left) + right);

    static Stream<Named<Algorithm>> algorithms() {
        return ALL.stream()
                .map(algorithm -> Named.of(algorithm.primitive().label() + " " + algorithm.name(), algorithm));
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void shouldComputeWhatThePrimitiveMeans(Algorithm algorithm) {
        Primitive primitive = algorithm.primitive();
        int calls = 0;
        for (int size = 1; size <= 9; size++) {
            for (int root = 0; root < (primitive.rooted() ? size : 1); root++) {
                for (InPlace inPlace : InPlace.values()) {
                    for (int count : primitive == Primitive.BARRIER ? new int[] {0} : new int[] {1, 2, 7}) {
                        assertValues(Worlds.of(algorithm, size, count, root, inPlace), Long::sum);
                        calls++;
                    }
                    boolean uneven = primitive.isBlocked() && algorithm.handles(primitive.vForm(), size);
                    for (int pattern = 0; uneven && pattern < 4; pattern++) {
                        assertValues(Worlds.uneven(algorithm, size, pattern, root, inPlace), Long::sum);
                        calls++;
                    }
                }
            }
        }
        assertTrue(calls >= 9 * 3, "hardly anything was computed: " + calls);
    }

    private static void assertValues(WorldSchedules world, LongBinaryOperator operation) {
        List<long[]> inputs = new ArrayList<>();
        for (Problem problem : world.problems()) {
            inputs.add(LongStream.range(0, problem.inputLength())
                    .map(element -> 1000 * element + problem.rank() + 1)
                    .toArray());
        }
        assertValues(world, inputs, operation);
    }

    private static void assertValues(WorldSchedules world, List<long[]> inputs, LongBinaryOperator operation) {
        List<long[]> outputs = new WholeStepInterpreter(world, inputs, operation).run();
        ExpectedValues expected = new ExpectedValues(world.problems(), inputs, operation);
        for (int rank = 0; rank < world.size(); rank++) {
            String where = world.ranks().getFirst().algorithm() + " "
                    + world.problems().get(rank);
            assertArrayEquals(expected.output(rank), outputs.get(rank), where);
        }
    }

    @ParameterizedTest
    @EnumSource
    void c29ShouldReduceFewerElementsThanRanks(InPlace inPlace) {
        assertAllReduced(5, new long[] {15, 30, 45}, inPlace);
    }

    @ParameterizedTest
    @EnumSource
    void c29ShouldReduceElementsThatDoNotDivide(InPlace inPlace) {
        assertAllReduced(3, new long[] {6, 12, 18, 24, 30, 36, 42}, inPlace);
    }

    private static void assertAllReduced(int size, long[] expected, InPlace inPlace) {
        List<Algorithm> algorithms = AlgorithmRegistry.standard().of(Primitive.ALL_REDUCE);
        assertEquals(8, algorithms.size());
        for (Algorithm algorithm : algorithms) {
            List<long[]> inputs = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                long factor = rank + 1;
                inputs.add(LongStream.rangeClosed(1, expected.length)
                        .map(element -> factor * element)
                        .toArray());
            }
            WorldSchedules world = Worlds.of(algorithm, size, expected.length, 0, inPlace);
            for (long[] output : new WholeStepInterpreter(world, inputs, Long::sum).run()) {
                assertArrayEquals(expected, output, algorithm.name());
            }
        }
    }

    /** Some algorithms work for operations that do not commute. */
    @Test
    void shouldCombineInRankOrder() {
        List<Algorithm> ordered = Stream.concat(
                        ALL.stream().filter(Algorithm::inRankOrder),
                        Stream.of(new RecursiveDoublingAllReduce(), new TreeAllReduce()))
                .toList();
        assertEquals(6, ordered.size());
        for (Algorithm algorithm : ordered) {
            for (int size = 1; size <= 9; size++) {
                for (InPlace inPlace : InPlace.values()) {
                    WorldSchedules world = Worlds.of(algorithm, size, 1, size - 1, inPlace);
                    List<long[]> inputs = new ArrayList<>();
                    for (Problem problem : world.problems()) {
                        long[] input = new long[(int) problem.inputLength()];
                        Arrays.fill(input, problem.rank() + 1);
                        inputs.add(input);
                    }
                    assertValues(world, inputs, CONCATENATION);
                }
            }
        }
    }

    /** Case C31: 1.5e9 int64 on 4 ranks; the schedules need no data. */
    @Test
    void c31ShouldScheduleMoreThanTwoToThe31Bytes() {
        long count = 1_500_000_000L;
        for (int rank = 0; rank < 4; rank++) {
            Problem problem = Problem.of(Primitive.ALL_REDUCE, rank, 4, count, 0, true);
            Schedule schedule = new RingAllReduce().schedule(problem);
            assertEquals(12, schedule.steps().size());
            assertTrue(schedule.steps().stream().allMatch(step -> step.length() == 375_000_000L));
            assertEquals(2_250_000_000L, sent(schedule));
            assertEquals(
                    new Validation.Sent(6, 2_250_000_000L),
                    new Formulas(new RingAllReduce(), problem).sent().orElseThrow());
        }
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void shouldScheduleMoreThanTwoToThe31Elements(Algorithm algorithm) {
        for (int size : new int[] {2, 3, 5}) {
            for (int rank = 0; rank < size; rank++) {
                long count = ((1L << 31) + 8) * 30;
                Problem problem = Problem.of(algorithm.primitive(), rank, size, count, 0, true);
                long sent = sent(algorithm.schedule(problem));
                new Formulas(algorithm, problem).sent().ifPresent(expected -> assertEquals(expected.elements(), sent));
            }
        }
    }

    private static long sent(Schedule schedule) {
        return schedule.steps().stream()
                .filter(Step.Send.class::isInstance)
                .mapToLong(Step::length)
                .sum();
    }
}

package io.parex.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.algorithm.Worlds.InPlace;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import io.parex.schedule.Step;
import io.parex.schedule.Validation;
import io.parex.schedule.WorldSchedules;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real values: fewer elements than ranks, sizes that do not divide, more than 2^31 elements, order of operands. */
class AlgorithmValuesTest {
    private static final List<Algorithm> ALL_REDUCES = List.of(new RingAllReduce(), new RecursiveDoublingAllReduce());
    private static final List<Algorithm> BROADCASTS = List.of(new BinomialBroadcast(), new ChainBroadcast());

    @ParameterizedTest
    @EnumSource
    void c29ShouldReduceFewerElementsThanRanks(InPlace inPlace) {
        long[] expected = {15, 30, 45};
        ALL_REDUCES.forEach(algorithm -> allReduce(algorithm, 5, expected, inPlace));
    }

    @ParameterizedTest
    @EnumSource
    void c29ShouldReduceElementsThatDoNotDivide(InPlace inPlace) {
        long[] expected = {6, 12, 18, 24, 30, 36, 42};
        ALL_REDUCES.forEach(algorithm -> allReduce(algorithm, 3, expected, inPlace));
    }

    private static void allReduce(Algorithm algorithm, int size, long[] expected, InPlace inPlace) {
        WorldSchedules world = Worlds.of(algorithm, size, expected.length, 0, inPlace);
        WholeStepInterpreter interpreter = new WholeStepInterpreter(Long::sum);
        for (Schedule schedule : world.ranks()) {
            long[] input = LongStream.rangeClosed(1, expected.length)
                    .map(element -> (schedule.rank() + 1) * element)
                    .toArray();
            interpreter.add(schedule, input, inPlace.holds(schedule.rank()));
        }
        for (long[] output : interpreter.run()) {
            assertArrayEquals(expected, output, algorithm.name());
        }
    }

    @Test
    void c29ShouldBroadcastAnyFewBytesFromEveryRoot() {
        int calls = 0;
        for (Algorithm algorithm : BROADCASTS) {
            for (int size : new int[] {3, 5, 6, 7}) {
                for (int root = 0; root < size; root++) {
                    for (int count = 1; count <= 8; count++) {
                        broadcast(algorithm, size, root, count);
                        calls++;
                    }
                }
            }
        }
        assertEquals(2 * 21 * 8, calls);
    }

    private static void broadcast(Algorithm algorithm, int size, int root, int count) {
        long[] expected =
                LongStream.range(0, count).map(element -> 31 * element + root).toArray();
        WholeStepInterpreter interpreter = new WholeStepInterpreter(Long::sum);
        for (Schedule schedule :
                Worlds.of(algorithm, size, count, root, InPlace.NONE).ranks()) {
            interpreter.add(schedule, schedule.rank() == root ? expected.clone() : new long[count], true);
        }
        for (long[] output : interpreter.run()) {
            assertArrayEquals(expected, output, algorithm.name());
        }
    }

    /**
     * Recursive doubling works for operations that do not commute: here two numbers are written one after the other.
     */
    @Test
    void shouldCombineInRankOrderByRecursiveDoubling() {
        for (int size = 1; size <= 9; size++) {
            for (InPlace inPlace : InPlace.values()) {
                WorldSchedules world = Worlds.of(new RecursiveDoublingAllReduce(), size, 1, 0, inPlace);
                WholeStepInterpreter interpreter =
                        new WholeStepInterpreter((left, right) -> Long.parseLong(Long.toString(left) + right));
                for (Schedule schedule : world.ranks()) {
                    interpreter.add(schedule, new long[] {schedule.rank() + 1}, inPlace.holds(schedule.rank()));
                }
                for (long[] output : interpreter.run()) {
                    assertEquals(Long.parseLong("123456789".substring(0, size)), output[0]);
                }
            }
        }
    }

    /** Case C31: 1.5e9 int64 on 4 ranks; the schedules need no data. */
    @Test
    void c31ShouldScheduleMoreThanTwoToThe31Bytes() {
        long count = 1_500_000_000L;
        for (int rank = 0; rank < 4; rank++) {
            Schedule schedule = new RingAllReduce().schedule(Problem.of(Primitive.ALL_REDUCE, rank, 4, count, 0, true));
            assertEquals(12, schedule.steps().size());
            assertTrue(schedule.steps().stream().allMatch(step -> step.length() == 375_000_000L));
            assertEquals(2_250_000_000L, sent(schedule));
            assertEquals(new Validation.Sent(6, 2_250_000_000L), new Formulas("ring", 4, count, 0).sent(rank));
        }
    }

    @Test
    void shouldScheduleMoreThanTwoToThe31ElementsWithEveryAlgorithm() {
        long count = (1L << 31) + 8;
        for (int size : new int[] {2, 3, 5}) {
            for (int rank = 0; rank < size; rank++) {
                for (Algorithm algorithm : List.of(ALL_REDUCES, BROADCASTS).stream()
                        .flatMap(List::stream)
                        .toList()) {
                    Schedule schedule =
                            algorithm.schedule(Problem.of(algorithm.primitive(), rank, size, count, 0, true));
                    long expected = new Formulas(algorithm.name(), size, count, 0)
                            .sent(rank)
                            .elements();
                    assertEquals(expected, sent(schedule), algorithm.name());
                }
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

package io.parex.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.algorithm.Worlds.InPlace;
import io.parex.planner.AlgorithmRegistry;
import io.parex.schedule.ScheduleValidator;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every algorithm for every world size up to 33 and some above, proved without a network. */
class AlgorithmValidationTest {
    private static final List<Algorithm> ALL = AlgorithmRegistry.standard().all();

    static Stream<Named<Algorithm>> algorithms() {
        return ALL.stream()
                .map(algorithm -> Named.of(algorithm.primitive().label() + " " + algorithm.name(), algorithm));
    }

    @Test
    void shouldKnowEveryAlgorithmOnce() {
        assertEquals(32, ALL.size());
        assertEquals(32, algorithms().map(Named::getName).distinct().count());
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void shouldBeRightForEveryRootCountAndAliasing(Algorithm algorithm) {
        int[] sizes = IntStream.concat(IntStream.rangeClosed(1, 17), IntStream.of(24, 31, 32, 33))
                .toArray();
        sweep(algorithm, sizes);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("algorithms")
    void shouldBeRightInLargeWorlds(Algorithm algorithm) {
        int[] sizes = IntStream.concat(IntStream.rangeClosed(18, 30), IntStream.of(64, 100, 128))
                .toArray();
        sweep(algorithm, sizes);
    }

    private static void sweep(Algorithm algorithm, int[] sizes) {
        Sweep sweep = new Sweep(algorithm);
        Arrays.stream(sizes).forEach(sweep::run);
        System.out.printf(
                "%-15s %-22s %5d calls validated, %d checks%n",
                algorithm.primitive().label(), algorithm.name(), sweep.calls(), sweep.checks());
        long expected = Arrays.stream(sizes)
                .mapToLong(size -> Sweep.expectedCalls(algorithm, size))
                .sum();
        assertEquals(expected, sweep.calls());
        assertTrue(sweep.checks() > 100 * sweep.calls(), "almost nothing was checked: " + sweep.checks());
    }

    /** Or being in rank order would say nothing. */
    @Test
    void shouldSumInRankOrderWhereAnAlgorithmSaysSoOnly() {
        List<String> ordered = ALL.stream()
                .filter(algorithm -> algorithm.primitive().reducing())
                .filter(algorithm -> ScheduleValidator.validate(Worlds.of(algorithm, 5, 7, 1, InPlace.NONE))
                        .inRankOrder())
                .map(algorithm -> algorithm.primitive().label() + " " + algorithm.name())
                .toList();
        assertEquals(
                List.of("reduce direct", "reduce_scatter direct", "all_reduce direct", "all_reduce direct_blocks"),
                ordered);
        assertEquals(ordered.size(), ALL.stream().filter(Algorithm::inRankOrder).count());
    }
}

package io.parex.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.planner.AlgorithmRegistry;
import io.parex.schedule.Primitive;
import io.parex.schedule.ScheduleFault;
import io.parex.schedule.ScheduleValidator;
import io.parex.schedule.Validation;
import io.parex.schedule.WorldSchedules;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every algorithm for every world size up to 33, proved without a network. */
class AlgorithmValidationTest {
    private static final int LARGEST_WORLD = 33;
    private static final int EVERY_ROOT_UP_TO = 9;
    private static final int THOROUGH_UP_TO = 8;

    static Stream<Named<Algorithm>> algorithms() {
        return AlgorithmRegistry.standard().all().stream().map(algorithm -> Named.of(algorithm.name(), algorithm));
    }

    @Test
    void shouldKnowFiveAlgorithms() {
        assertEquals(5, algorithms().count());
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void shouldBeRightForEveryWorldRootCountAndAliasing(Algorithm algorithm) {
        long calls = 0;
        long checks = 0;
        for (int size = 1; size <= LARGEST_WORLD; size++) {
            for (int root : roots(algorithm, size)) {
                for (int count : counts(algorithm, size)) {
                    for (Worlds.InPlace inPlace : aliasings(algorithm)) {
                        checks += validate(algorithm, size, count, root, inPlace);
                        calls++;
                    }
                }
            }
        }
        System.out.printf("%-18s %5d calls validated, %d checks%n", algorithm.name(), calls, checks);
        assertEquals(expectedCalls(algorithm), calls);
        assertTrue(checks > 100 * calls, "a call was validated by almost no checks: " + checks + " in " + calls);
    }

    private static long validate(Algorithm algorithm, int size, int count, int root, Worlds.InPlace inPlace) {
        String call = "%s on %d ranks, count %d, root %d, in place %s"
                .formatted(algorithm.name(), size, count, root, inPlace);
        try {
            WorldSchedules world = Worlds.of(algorithm, size, count, root, inPlace);
            Validation validation = size <= THOROUGH_UP_TO
                    ? ScheduleValidator.validateThoroughly(world)
                    : ScheduleValidator.validate(world);
            Formulas formulas = new Formulas(algorithm.name(), size, count, root);
            assertEquals(formulas.rounds(), validation.rounds(), () -> call + ": rounds");
            for (int rank = 0; rank < size; rank++) {
                assertEquals(formulas.sent(rank), validation.sent().get(rank), call + ": sent by rank " + rank);
            }
            return validation.checks() + 1 + size;
        } catch (ScheduleFault fault) {
            throw new AssertionError(call + ": " + fault.getMessage(), fault);
        }
    }

    private static Set<Integer> roots(Algorithm algorithm, int size) {
        if (algorithm.primitive() != Primitive.BROADCAST) {
            return Set.of(0);
        }
        IntStream roots = size <= EVERY_ROOT_UP_TO ? IntStream.range(0, size) : IntStream.of(0, 1, size / 2, size - 1);
        return new LinkedHashSet<>(roots.boxed().toList());
    }

    private static Set<Integer> counts(Algorithm algorithm, int size) {
        return algorithm.primitive() == Primitive.BARRIER
                ? Set.of(0)
                : new LinkedHashSet<>(List.of(0, 1, size - 1, size, size + 1, 2 * size + 3));
    }

    private static List<Worlds.InPlace> aliasings(Algorithm algorithm) {
        return algorithm.primitive() == Primitive.ALL_REDUCE
                ? List.of(Worlds.InPlace.values())
                : List.of(Worlds.InPlace.NONE);
    }

    /**
     * Six counts (four in a world of 1, five of 2), times three aliasings for all_reduce or the roots for a broadcast.
     */
    private static long expectedCalls(Algorithm algorithm) {
        return switch (algorithm.primitive()) {
            case BARRIER -> LARGEST_WORLD;
            case ALL_REDUCE -> 3 * (4 + 5 + 31 * 6);
            case BROADCAST -> 4 + 2 * 5 + 6 * (3 + 4 + 5 + 6 + 7 + 8 + 9 + 24 * 4);
            default -> throw new AssertionError(algorithm.primitive());
        };
    }
}

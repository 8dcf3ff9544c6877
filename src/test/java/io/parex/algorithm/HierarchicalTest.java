package io.parex.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.algorithm.Worlds.InPlace;
import io.parex.schedule.Blocks;
import io.parex.schedule.Placement;
import io.parex.schedule.Problem;
import io.parex.schedule.ScheduleFault;
import io.parex.schedule.ScheduleValidator;
import io.parex.schedule.Step;
import io.parex.schedule.Validation;
import io.parex.schedule.Validation.Sent;
import io.parex.schedule.WorldSchedules;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The algorithms that look at hosts, for ranks on hosts of all kinds; {@link AlgorithmValidationTest} has none. */
class HierarchicalTest {
    private static final List<Algorithm> ALL = List.of(new HierarchicalAllReduce(), new HierarchicalBroadcast());

    static Stream<Named<Algorithm>> algorithms() {
        return ALL.stream().map(algorithm -> Named.of(algorithm.primitive().label(), algorithm));
    }

    /** Ranks side by side, dealt out in turns, unevenly, and anyhow. */
    private static Map<String, Placement> placements(int size) {
        Map<String, Placement> placements = new LinkedHashMap<>();
        for (int each : new int[] {1, 2, 3, 4, 8, size}) {
            placements.put("blocks of " + each, Placement.of(size, rank -> rank / each));
        }
        for (int hosts : new int[] {2, 3, 5}) {
            placements.put("dealt out to " + hosts, Placement.of(size, rank -> rank % hosts));
        }
        placements.put("one alone", Placement.of(size, rank -> rank == size / 2 ? 1 : 0));
        placements.put("one host of many", Placement.of(size, rank -> rank < size / 2 ? -1 : rank));
        for (int seed = 0; seed < 4; seed++) {
            Random random = new Random(100L * size + seed);
            int hosts = 1 + random.nextInt(size);
            placements.put("seed " + seed, Placement.of(size, rank -> random.nextInt(hosts)));
        }
        Set<Placement> seen = new HashSet<>();
        placements.values().removeIf(placement -> !seen.add(placement));
        return placements;
    }

    private static WorldSchedules world(
            Algorithm algorithm, int size, long count, int root, InPlace inPlace, Placement on) {
        List<Problem> problems = IntStream.range(0, size)
                .mapToObj(rank -> Problem.of(
                                algorithm.primitive(),
                                rank,
                                size,
                                Blocks.spread(count, size),
                                root,
                                inPlace.holds(rank))
                        .on(on))
                .toList();
        return Worlds.of(algorithm, problems);
    }

    private static long sweep(Algorithm algorithm, int size) {
        boolean rooted = algorithm.primitive().rooted();
        long checks = 0;
        for (Map.Entry<String, Placement> on : placements(size).entrySet()) {
            for (int root : rooted ? new int[] {0, size / 2, size - 1} : new int[] {0}) {
                for (InPlace inPlace : rooted ? new InPlace[] {InPlace.NONE} : InPlace.values()) {
                    for (long count : new long[] {0, 1, size - 1, 2L * size + 3}) {
                        String call = "%s on %d ranks, %s %s, root %d, in place %s, count %d"
                                .formatted(
                                        algorithm.primitive(), size, on.getKey(), on.getValue(), root, inPlace, count);
                        checks += validate(world(algorithm, size, count, root, inPlace, on.getValue()), call);
                    }
                }
            }
        }
        return checks;
    }

    private static long validate(WorldSchedules world, String call) {
        try {
            Validation validation =
                    world.size() <= 4 ? ScheduleValidator.validateThoroughly(world) : ScheduleValidator.validate(world);
            for (int rank = 0; rank < world.size(); rank++) {
                Problem problem = world.problems().get(rank);
                Sent sent = validation.sent().get(rank);
                assertEquals(HierarchicalFormulas.sent(problem), sent, call + ": sent by rank " + rank);
                assertEquals(
                        HierarchicalFormulas.elementsToOtherHosts(problem),
                        toOtherHosts(world, rank),
                        call + ": sent to other hosts by rank " + rank);
            }
            return validation.checks();
        } catch (ScheduleFault fault) {
            throw new AssertionError(call + ": " + fault.getMessage(), fault);
        }
    }

    private static long toOtherHosts(WorldSchedules world, int rank) {
        Placement hosts = world.problems().get(rank).hosts();
        return world.ranks().get(rank).steps().stream()
                .filter(step -> step instanceof Step.Send send && hosts.host(send.peer()) != hosts.host(rank))
                .mapToLong(Step::length)
                .sum();
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void shouldBeRightOnHostsOfAllKinds(Algorithm algorithm) {
        long checks = 0;
        for (int size : new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16}) {
            checks += sweep(algorithm, size);
        }
        assertTrue(checks > 1_000_000, "almost nothing was checked: " + checks);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("algorithms")
    void shouldBeRightOnManyHosts(Algorithm algorithm) {
        for (int size : new int[] {10, 11, 13, 14, 15, 17, 24, 33, 64}) {
            sweep(algorithm, size);
        }
    }

    @Test
    void shouldKnowHosts() {
        Placement placement =
                Placement.of(5, rank -> List.of("b", "a", "b", "c", "a").get(rank));
        assertEquals(3, placement.hosts());
        assertEquals(
                List.of(0, 1, 0, 2, 1),
                IntStream.range(0, 5).map(placement::host).boxed().toList());
        assertEquals(2, placement.rank(0, 1));
        assertEquals(1, placement.place(4));
        assertEquals(1, placement.fewest());
        assertEquals(2, placement.most());
        assertTrue(placement.isMixed());
        assertEquals(Placement.of(5, rank -> List.of(7, 8, 7, 9, 8).get(rank)), placement);
        assertEquals(Placement.UNKNOWN, Placement.of(3, rank -> rank));
        assertEquals(1, Placement.of(3, rank -> "same").hosts());
    }
}

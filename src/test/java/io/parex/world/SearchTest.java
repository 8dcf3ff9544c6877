package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ParexException;
import io.parex.protocol.Frame;
import io.parex.simulator.Simulation;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** In a world that is too large to ask everybody, every rank still finds out who is missing. */
class SearchTest {
    private static final int SIZE = 128;
    private static final WorldOptions OPTIONS = WorldOptions.DEFAULT.withCallTimeout(Duration.ofSeconds(2));

    @Test
    void shouldFindTheMissingRankOfABarrier() {
        for (Simulation.Weather weather : List.of(Simulation.Weather.CALM, Simulation.Weather.ROUGH)) {
            for (int missing : new int[] {0, 77}) {
                everyRankNames(weather, missing, group -> group.barrier(CallOptions.DEFAULT));
            }
        }
    }

    @Test
    void shouldFindTheMissingRankOfARing() {
        for (Simulation.Weather weather : List.of(Simulation.Weather.CALM, Simulation.Weather.ROUGH)) {
            everyRankNames(weather, 77, group -> sum(group, 1000));
        }
    }

    @Test
    void shouldFindTheMissingRankBelowTheRootOfABroadcast() {
        for (String algorithm : List.of("binomial", "chain")) {
            for (int count : new int[] {10, 20_000}) {
                for (int missing : new int[] {64, 72, 77}) {
                    Search128 search = new Search128(Simulation.Weather.ROUGH, Set.of(missing));
                    search.run(group -> group.broadcast(
                            Tensors.zeros(DataType.INT32, count), 0, CallOptions.DEFAULT.withAlgorithm(algorithm)));
                    search.everyRankNamesAll();
                }
            }
        }
    }

    @Test
    void shouldFindOneOfSeveralMissingRanks() {
        for (Set<Integer> missing : List.of(Set.of(10, 77, 100), Set.of(76, 77, 78))) {
            Search128 barrier = new Search128(Simulation.Weather.CALM, missing);
            barrier.run(group -> group.barrier(CallOptions.DEFAULT));
            barrier.everyRankNamesSome();
            Search128 ring = new Search128(Simulation.Weather.ROUGH, missing);
            ring.run(group -> sum(group, 1000));
            ring.everyRankNamesSome();
        }
    }

    @Test
    void shouldFindTheMissingRankWhereTheOthersCallOneAfterTheOther() {
        Search128 search = new Search128(Simulation.Weather.ROUGH, Set.of(77));
        search.staggerNanos = 5_000_000;
        search.run(group -> sum(group, 1000));
        search.everyRankNamesAll();
    }

    private static Work sum(ProcessGroup group, int count) {
        TensorView tensor = Tensors.zeros(DataType.INT32, count);
        return group.allReduce(tensor, tensor, ReduceOp.SUM, CallOptions.DEFAULT.withAlgorithm("ring"));
    }

    private static void everyRankNames(Simulation.Weather weather, int missing, Function<ProcessGroup, Work> call) {
        Search128 search = new Search128(weather, Set.of(missing));
        search.run(call);
        search.everyRankNamesAll();
    }

    /**
     * One call in which some ranks are missing. Whoever's deadline is the first tells all others; here no failure gets
     * through, so that each rank has to find out by itself.
     */
    private static final class Search128 {
        private static final Pattern NAMED =
                Pattern.compile("timed out after 2\\.0 s: missing=\\[([0-9, ]+)] have not called .*");

        private final Simulation.Weather weather;
        private final Set<Integer> missing;
        private final Map<Integer, String> texts = new TreeMap<>();
        private long staggerNanos;
        private int questions;

        Search128(Simulation.Weather weather, Set<Integer> missing) {
            this.weather = weather;
            this.missing = new TreeSet<>(missing);
        }

        void run(Function<ProcessGroup, Work> call) {
            try (SimulatedHarness world = new SimulatedHarness(SIZE, OPTIONS, 1, weather)) {
                world.simulation().tamper(frame -> {
                    questions += frame instanceof Frame.Inquire ? 1 : 0;
                    return frame instanceof Frame.Fail ? null : frame;
                });
                Map<Integer, Work> works = new TreeMap<>();
                for (int rank = 0; rank < SIZE; rank++) {
                    if (!missing.contains(rank)) {
                        works.put(rank, call.apply(world.group(rank)));
                        world.pass(Duration.ofNanos(staggerNanos));
                    }
                }
                world.settle(works.values());
                works.forEach((rank, work) -> {
                    try {
                        work.await();
                    } catch (ParexException e) {
                        texts.put(rank, e.getMessage());
                    }
                });
                world.simulation().tamper(frame -> frame);
            }
            assertTrue(!texts.isEmpty(), this + ": the call has not failed");
            // Three rounds: after 100 ms, after 1 s, before the deadline.
            assertTrue(questions <= 3 * SIZE * (2 * 7 + 8), questions + " questions");
        }

        void everyRankNamesAll() {
            texts.forEach((rank, text) -> assertEquals(missing, named(text), this + ", rank " + rank + ": " + text));
        }

        void everyRankNamesSome() {
            for (Map.Entry<Integer, String> each : texts.entrySet()) {
                Set<Integer> named = named(each.getValue());
                assertTrue(!named.isEmpty() && missing.containsAll(named), this + ", rank " + each);
            }
        }

        private static Set<Integer> named(String text) {
            Matcher matcher = NAMED.matcher(text);
            return matcher.matches()
                    ? Stream.of(matcher.group(1).split(", "))
                            .map(Integer::valueOf)
                            .collect(Collectors.toCollection(TreeSet::new))
                    : Set.of();
        }

        @Override
        public String toString() {
            return "missing " + missing + ", " + questions + " questions, " + weather;
        }
    }
}

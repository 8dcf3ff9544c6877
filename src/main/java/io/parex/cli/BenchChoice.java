package io.parex.cli;

import io.parex.ParexException;
import io.parex.algorithm.Algorithm;
import io.parex.bench.BenchPlan;
import io.parex.bench.CallerKind;
import io.parex.bench.Series;
import io.parex.planner.AlgorithmRegistry;
import io.parex.schedule.Primitive;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** From what a user names to the tables to measure. */
final class BenchChoice {
    /** {@code isend} and {@code irecv} are what {@code send} and {@code recv} are measured by. */
    private static final List<Primitive> KNOWN = Arrays.stream(Primitive.values())
            .filter(primitive -> primitive != Primitive.ISEND && primitive != Primitive.IRECV)
            .toList();

    /** Each by itself; {@code recv} is the other half of {@code send} and only measured by name. */
    private static final List<Primitive> ALL =
            KNOWN.stream().filter(primitive -> primitive != Primitive.RECV).toList();

    private final AlgorithmRegistry registry = AlgorithmRegistry.standard();
    private final int ranks;

    BenchChoice(int ranks) {
        this.ranks = ranks;
    }

    /**
     * A table for each caller, primitive and algorithm.
     *
     * @param primitives names, or {@code all}: those that so many ranks can run
     * @param algorithms names, {@code auto} for the planner's choice, {@code all} for each one there is
     * @param caller {@code thread}, {@code loop} or {@code both}
     */
    List<Series> series(List<String> primitives, List<String> algorithms, String caller) {
        Set<Series> series = new LinkedHashSet<>();
        for (Primitive primitive : primitives(primitives)) {
            for (String algorithm : algorithms(primitive, algorithms)) {
                for (CallerKind kind : callers(caller)) {
                    series.add(new Series(primitive, algorithm.equals("auto") ? null : algorithm, kind));
                }
            }
        }
        return List.copyOf(series);
    }

    private List<Primitive> primitives(List<String> names) {
        List<Primitive> chosen = new ArrayList<>();
        for (String name : names) {
            if (name.equals("all")) {
                ALL.stream()
                        .filter(primitive -> ranks > 1 || !BenchPlan.needsPair(primitive))
                        .forEach(chosen::add);
            } else {
                chosen.add(primitive(name));
            }
        }
        return chosen;
    }

    private static Primitive primitive(String name) {
        return KNOWN.stream()
                .filter(primitive -> primitive.label().equals(name))
                .findFirst()
                .orElseThrow(() -> ParexException.argument("no primitive '" + name + "' to measure; known: "
                        + KNOWN.stream().map(Primitive::label).collect(Collectors.joining(", ")) + ", all"));
    }

    private List<String> algorithms(Primitive primitive, List<String> names) {
        List<String> known = registry.of(primitive).stream()
                .filter(algorithm -> algorithm.handles(primitive, ranks))
                .map(Algorithm::name)
                .toList();
        List<String> chosen = new ArrayList<>();
        for (String name : names) {
            if (name.equals("all") && !known.isEmpty()) {
                chosen.addAll(known);
            } else if (name.equals("all") || name.equals("auto")) {
                chosen.add("auto");
            } else {
                chosen.add(registry.find(primitive, name).name());
            }
        }
        return chosen;
    }

    private static List<CallerKind> callers(String name) {
        return switch (name) {
            case "thread" -> List.of(CallerKind.THREAD);
            case "loop" -> List.of(CallerKind.LOOP);
            case "both" -> List.of(CallerKind.THREAD, CallerKind.LOOP);
            default -> throw ParexException.argument("no caller '" + name + "'; known: thread, loop, both");
        };
    }
}

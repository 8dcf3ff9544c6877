package io.parex.world;

import io.parex.protocol.link.LinkPhase;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How often each fault has met links in each phase. */
final class FaultTable {
    private final Map<LinkPhase, Map<FaultPlan.Kind, Integer>> cells = new EnumMap<>(LinkPhase.class);
    private long faults;
    private long operations;
    private long seeds;

    /** A fault meets a link. */
    void met(FaultPlan.Kind kind, LinkPhase phase) {
        cells.computeIfAbsent(phase, any -> new EnumMap<>(FaultPlan.Kind.class)).merge(kind, 1, Integer::sum);
    }

    void fault() {
        faults++;
    }

    /** A seed has been run. */
    void seed(long operationsMade) {
        seeds++;
        operations += operationsMade;
    }

    double faultsPerSeed() {
        return (double) faults / seeds;
    }

    double operationsPerSeed() {
        return (double) operations / seeds;
    }

    private int count(LinkPhase phase, FaultPlan.Kind kind) {
        return cells.getOrDefault(phase, Map.of()).getOrDefault(kind, 0);
    }

    /** Cells that no seed has hit. */
    List<String> empty() {
        List<String> empty = new ArrayList<>();
        for (LinkPhase phase : LinkPhase.values()) {
            for (FaultPlan.Kind kind : FaultPlan.Kind.values()) {
                if (count(phase, kind) == 0) {
                    empty.add(phase + " x " + kind);
                }
            }
        }
        return empty;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("%d seeds, %.0f operations and %.1f faults a seed%n"
                .formatted(seeds, operationsPerSeed(), faultsPerSeed()));
        text.append("%-10s".formatted(""));
        for (FaultPlan.Kind kind : FaultPlan.Kind.values()) {
            text.append("%14s".formatted(kind));
        }
        for (LinkPhase phase : LinkPhase.values()) {
            text.append("%n%-10s".formatted(phase));
            for (FaultPlan.Kind kind : FaultPlan.Kind.values()) {
                text.append("%14d".formatted(count(phase, kind)));
            }
        }
        return text.toString();
    }
}

package io.parex.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Derives the edges of one rank's steps, which are added in schedule order, from the elements they touch.
 *
 * <p>Two steps conflict where their slices of one memory overlap and at least one of them is written: the later one may
 * touch an element only after the earlier one did. Both move upwards through memory, so a conflict of an earlier slice
 * at {@code a} with a later one at {@code c} is exactly the prefix edge with shift {@code a - c}; where {@code c < a}
 * the later step runs freely up to {@code a}. Of several conflicts of the same two steps the smallest shift implies the
 * others.
 *
 * <p>A slice that a later write covers whole needs no edge to steps after that write: they conflict with the write too,
 * and the fronts of the three steps, as addresses, can only follow each other.
 *
 * <p>A slice of length 0 touches nothing and is a token instead: whoever names it at the same place passes on that the
 * earlier writer has heard from somebody. Writers and readers of a token wait for the end of the last earlier writer; a
 * writer does not wait for readers, as there is nothing to overwrite.
 */
final class Dependences {

    private record Access(int step, Slice slice, boolean write) {}

    private final Aliasing aliasing;
    private final Map<Buffer, TreeMap<Long, List<Access>>> live = new HashMap<>();
    private final Map<Buffer, Long> longest = new HashMap<>();
    private final Map<Slice, Integer> lastTokenWriter = new HashMap<>();
    private final List<Edge> edges = new ArrayList<>();

    Dependences(Aliasing aliasing) {
        this.aliasing = aliasing;
    }

    /** The edges of the steps added so far, ascending by {@code to}, then {@code from}. */
    List<Edge> edges() {
        return List.copyOf(edges);
    }

    /** Takes the next step, number {@code index}. */
    void add(int index, Step step) {
        if (step.length() == 0) {
            addTokens(index, step);
            return;
        }
        TreeMap<Integer, Long> shifts = new TreeMap<>();
        StepSlices.reads(step).forEach(slice -> conflicts(aliasing.memory(slice), false, shifts));
        StepSlices.writes(step).forEach(slice -> conflicts(aliasing.memory(slice), true, shifts));
        shifts.forEach((from, shift) -> edges.add(new Edge(from, index, shift, false)));
        StepSlices.reads(step).forEach(slice -> remember(new Access(index, aliasing.memory(slice), false)));
        for (Slice slice : StepSlices.writes(step)) {
            forgetWithin(aliasing.memory(slice));
            remember(new Access(index, aliasing.memory(slice), true));
        }
    }

    private void addTokens(int index, Step step) {
        List<Slice> writes =
                StepSlices.writes(step).stream().map(aliasing::memory).toList();
        TreeSet<Integer> writers = Stream.concat(StepSlices.reads(step).stream().map(aliasing::memory), writes.stream())
                .map(lastTokenWriter::get)
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(TreeSet::new));
        writers.forEach(from -> edges.add(new Edge(from, index, 0, true)));
        writes.forEach(token -> lastTokenWriter.put(token, index));
    }

    private void conflicts(Slice slice, boolean write, Map<Integer, Long> shifts) {
        for (Access earlier : overlapping(slice)) {
            if (write || earlier.write()) {
                shifts.merge(earlier.step(), earlier.slice().offset() - slice.offset(), Math::min);
            }
        }
    }

    private List<Access> overlapping(Slice slice) {
        TreeMap<Long, List<Access>> byOffset = live.get(slice.buffer());
        if (byOffset == null) {
            return List.of();
        }
        long lowest = slice.offset() - longest.get(slice.buffer());
        List<Access> found = new ArrayList<>();
        for (List<Access> list :
                byOffset.subMap(lowest, false, slice.end(), false).values()) {
            for (Access access : list) {
                if (access.slice().end() > slice.offset()) {
                    found.add(access);
                }
            }
        }
        return found;
    }

    private void remember(Access access) {
        Slice slice = access.slice();
        live.computeIfAbsent(slice.buffer(), buffer -> new TreeMap<>())
                .computeIfAbsent(slice.offset(), offset -> new ArrayList<>())
                .add(access);
        longest.merge(slice.buffer(), slice.length(), Math::max);
    }

    private void forgetWithin(Slice slice) {
        TreeMap<Long, List<Access>> byOffset = live.get(slice.buffer());
        if (byOffset == null) {
            return;
        }
        var within = byOffset.subMap(slice.offset(), slice.end()).values();
        within.forEach(list -> list.removeIf(access -> access.slice().end() <= slice.end()));
        within.removeIf(List::isEmpty);
    }
}

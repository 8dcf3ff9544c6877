package io.parex.schedule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

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
 * <p>A slice of length 0 has no elements to conflict in and is a token instead, by which a step passes on that it has
 * heard from somebody. Whoever writes or reads a token waits for the end of the last earlier writer of the same place,
 * and of slices that hold the place or begin or end there; and so does, for the end of the token's writer, whoever
 * later writes or reads such a slice. Nobody waits for a reader of a token, as there is nothing to overwrite.
 */
final class Dependences {

    private record Access(int step, Slice slice, boolean write) {}

    private final Aliasing aliasing;
    private final Map<Buffer, TreeMap<Long, List<Access>>> live = new HashMap<>();
    private final Map<Buffer, Long> longest = new HashMap<>();
    private final List<Edge> edges = new ArrayList<>();

    Dependences(Aliasing aliasing) {
        this.aliasing = aliasing;
    }

    /** The edges of the steps added so far, ascending by {@code to}, then {@code from}. */
    List<Edge> edges() {
        return List.copyOf(edges);
    }

    /**
     * Takes the next step, number {@code index}.
     *
     * @param awaited steps that it waits for the end of, whatever they touch
     */
    void add(int index, Step step, Set<Integer> awaited) {
        // A step has few: looking at all of them costs less than a map.
        List<Edge> found = new ArrayList<>(4);
        for (Slice slice : StepSlices.reads(step)) {
            conflicts(index, aliasing.memory(slice), false, found);
        }
        for (Slice slice : StepSlices.writes(step)) {
            conflicts(index, aliasing.memory(slice), true, found);
        }
        for (int from : awaited) {
            found.removeIf(edge -> edge.from() == from);
            found.add(new Edge(from, index, 0, true));
        }
        found.sort(Comparator.comparingInt(Edge::from));
        edges.addAll(found);
        for (Slice slice : StepSlices.reads(step)) {
            if (slice.length() > 0) {
                remember(new Access(index, aliasing.memory(slice), false));
            }
        }
        for (Slice slice : StepSlices.writes(step)) {
            forgetWithin(aliasing.memory(slice));
            remember(new Access(index, aliasing.memory(slice), true));
        }
    }

    private void conflicts(int index, Slice slice, boolean write, List<Edge> found) {
        for (Access earlier : touching(slice)) {
            boolean token = slice.length() == 0 || earlier.slice().length() == 0;
            boolean apart = earlier.slice().end() == slice.offset()
                    || slice.end() == earlier.slice().offset();
            boolean conflict = token ? earlier.write() : !apart && (write || earlier.write());
            if (conflict) {
                long shift = token ? 0 : earlier.slice().offset() - slice.offset();
                addOrMerge(new Edge(earlier.step(), index, shift, token), found);
            }
        }
    }

    private static void addOrMerge(Edge edge, List<Edge> found) {
        for (int i = 0; i < found.size(); i++) {
            Edge known = found.get(i);
            if (known.from() == edge.from()) {
                if (edge.shift() < known.shift()) {
                    found.set(i, edge);
                }
                return;
            }
        }
        found.add(edge);
    }

    /** The earlier accesses that have an element in common with the slice, or end where it begins or the reverse. */
    private List<Access> touching(Slice slice) {
        TreeMap<Long, List<Access>> byOffset = live.get(slice.buffer());
        if (byOffset == null) {
            return List.of();
        }
        long lowest = slice.offset() - longest.get(slice.buffer());
        List<Access> found = new ArrayList<>();
        for (List<Access> list :
                byOffset.subMap(lowest, true, slice.end(), true).values()) {
            for (Access access : list) {
                if (access.slice().end() >= slice.offset()) {
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

    /** A token is covered by one at its place, or by elements on both sides of it. */
    private void forgetWithin(Slice slice) {
        TreeMap<Long, List<Access>> byOffset = live.get(slice.buffer());
        if (byOffset == null) {
            return;
        }
        var within = byOffset.subMap(slice.offset(), true, slice.end(), slice.length() == 0)
                .values();
        within.forEach(list -> list.removeIf(access -> covers(slice, access.slice())));
        within.removeIf(List::isEmpty);
    }

    private static boolean covers(Slice slice, Slice earlier) {
        boolean inside = earlier.length() > 0 || earlier.offset() > slice.offset();
        return earlier.equals(slice) || inside && earlier.end() <= slice.end();
    }
}

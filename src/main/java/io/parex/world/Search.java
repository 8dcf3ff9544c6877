package io.parex.world;

import io.parex.protocol.Frame;
import io.parex.protocol.Overlay;
import io.parex.protocol.Whereabouts;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Looks for the members that keep one collective call waiting. It goes in rounds of questions: to the peers that the
 * call waits for, from the second round on also to all members of a small group, or to some of a large one. Whoever is
 * asked and waits itself says for whom, and is followed: those are asked next.
 *
 * <p>An answer does not name the next rank on the way but the farthest that the one who answers has come to, or the
 * missing ranks it has found. When all search at once, each answer doubles the way that is known, and the end of a ring
 * of 1,024 is ten answers away instead of 1,023. Owner loop only.
 */
final class Search {
    /** Ranks that an answer names and that a text tells more of than the number. */
    private static final int NAMED = 8;

    private record Heard(Whereabouts whereabouts, List<Integer> waitsFor, long atNanos) {}

    private final CollectiveCall call;
    private final GroupCore group;
    private final Map<Integer, Heard> answers = new HashMap<>();
    private final BitSet asked = new BitSet();
    private final Set<Integer> frontier = new LinkedHashSet<>();
    private int questionsLeft;

    Search(CollectiveCall call, GroupCore group) {
        this.call = call;
        this.group = group;
    }

    /** Begins a round. What the last one had no questions left for comes first. */
    void begin(boolean widely) {
        List<Integer> leftOver = List.copyOf(frontier);
        frontier.clear();
        asked.clear();
        asked.set(group.rank());
        questionsLeft = questionLimit();
        // Whom the schedule makes this rank wait for is asked in any case: only so is every disagreement found.
        Arrays.stream(call.blockers()).forEach(this::follow);
        Arrays.stream(call.awaited()).forEach(this::ask);
        if (widely && group.size() <= Limits.ASK_ALL_SIZE) {
            IntStream.range(0, group.size()).forEach(this::ask);
            return;
        }
        Arrays.stream(missing()).forEach(this::follow);
        leftOver.forEach(this::follow);
        if (widely) {
            Arrays.stream(Overlay.neighbours(group.rank(), group.size()))
                    .filter(peer -> questionsLeft > 0)
                    .forEach(this::ask);
        }
    }

    private int questionLimit() {
        return 2 * (Integer.SIZE - Integer.numberOfLeadingZeros(group.size() - 1)) + Limits.MORE_QUESTIONS;
    }

    /** Goes on to a rank that is on the way, now or, without questions left, in the next round. */
    private void follow(int peer) {
        if (!asked.get(peer) && frontier.size() < questionLimit()) {
            frontier.add(peer);
            if (questionsLeft > 0) {
                ask(peer);
            }
        }
    }

    private void ask(int peer) {
        if (!asked.get(peer)) {
            asked.set(peer);
            questionsLeft--;
            group.send(peer, new Frame.Inquire(group.id(), call.number(), call.descriptor()));
        }
    }

    /** A member has said where it is and, if it waits in this call, for whom. */
    void answered(int peer, Whereabouts whereabouts, List<Integer> waitsFor) {
        answers.put(peer, new Heard(whereabouts, waitsFor, now()));
        frontier.remove(peer);
        if (call.isWaiting()) {
            waitsFor.forEach(this::follow);
        }
    }

    /** For whom this call waits, as far as is known: missing ranks, else how far the search has come. */
    List<Integer> waitsFor() {
        int[] missing = missing();
        if (missing.length > 0) {
            return named(Arrays.stream(missing));
        }
        int[] blockers = call.blockers();
        return named(
                blockers.length == 0 || frontier.isEmpty()
                        ? Arrays.stream(blockers)
                        : frontier.stream().mapToInt(Integer::intValue));
    }

    private static List<Integer> named(IntStream ranks) {
        return ranks.limit(NAMED).boxed().toList();
    }

    private int[] missing() {
        return answers.entrySet().stream()
                .filter(entry -> entry.getValue().whereabouts().misses(call.number()))
                .mapToInt(Map.Entry::getKey)
                .filter(peer -> !call.hasHeardOf(peer))
                .sorted()
                .toArray();
    }

    private long now() {
        return group.core().loop().nanoTime();
    }

    /** Who has not called, in words. */
    String whoIsMissing() {
        int[] missing = missing();
        if (missing.length > 0) {
            return "missing=" + Arrays.toString(missing) + " have not called " + describe(missing);
        }
        int[] blockers = call.blockers();
        return "no member is known to be missing; "
                + (blockers.length == 0
                        ? "waiting for this rank's own caller to write input or to drain output"
                        : "waiting for data of ranks " + Arrays.toString(blockers) + " " + describe(blockers));
    }

    /** Where members were when they last answered. */
    private String describe(int[] ranks) {
        String end = ranks.length > NAMED ? "; and " + (ranks.length - NAMED) + " more)" : ")";
        return Arrays.stream(ranks).limit(NAMED).mapToObj(this::describe).collect(Collectors.joining("; ", "(", end));
    }

    private String describe(int rank) {
        Heard heard = answers.get(rank);
        if (heard == null) {
            String trouble = group.trouble(rank);
            return "rank " + rank + ": has not answered" + (trouble.isEmpty() ? "" : ", no connection: " + trouble);
        }
        return "rank " + rank + ": " + heard.whereabouts().after(now() - heard.atNanos())
                + (heard.waitsFor().isEmpty() ? "" : ", waits for ranks " + heard.waitsFor());
    }
}

package io.parex.world;

import io.parex.ErrorKind;
import io.parex.protocol.Durations;
import io.parex.protocol.Frame;
import io.parex.protocol.Whereabouts;
import io.parex.transport.OwnerLoop;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a collective call does while it waits: asks the peers it waits for, after 100 ms, after 1 s and then each warn
 * interval, where they are, and fails the call at its deadline with the names of those who have not called. Before a
 * warning and before the deadline it asks in time for the answers to be fresh. A question is also how a disagreement is
 * found that sends no data, such as two ranks that both take the other for the root. Owner loop only.
 */
final class Inquiry {
    /** Ranks that a text tells more of than the number; the others are as many lines that nobody reads. */
    private static final int DESCRIBED = 8;

    private final CollectiveCall call;
    private final GroupCore group;
    private final long startNanos;
    private final long deadlineNanos;
    private final Map<Integer, Heard> answers = new HashMap<>();
    private OwnerLoop.Timer timer;
    private int questions;
    private boolean askedForTheEnd;
    private boolean stopped;

    private record Heard(Whereabouts whereabouts, long atNanos) {}

    Inquiry(CollectiveCall call, GroupCore group, long deadlineNanos) {
        this.call = call;
        this.group = group;
        this.startNanos = group.core().loop().nanoTime();
        this.deadlineNanos = deadlineNanos;
    }

    long startNanos() {
        return startNanos;
    }

    /** Begins to watch the call. */
    void start() {
        scheduleNext();
    }

    void stop() {
        if (timer != null) {
            timer.cancel();
        }
        timer = null;
        stopped = true;
    }

    /** A member has said where it is. */
    void answered(int peer, Whereabouts whereabouts) {
        answers.put(peer, new Heard(whereabouts, now()));
    }

    private long now() {
        return group.core().loop().nanoTime();
    }

    private void scheduleNext() {
        if (stopped) {
            return;
        }
        long at = askedForTheEnd ? deadlineNanos : startNanos + Math.min(nextQuestion(), lastQuestion());
        timer = group.core().loop().schedule(Math.max(0, at - now()), this::onTimer);
    }

    /** Time of the next question after the start. A short timeout still leaves time to ask and be answered. */
    private long nextQuestion() {
        long half = (deadlineNanos - startNanos) / 2;
        return switch (questions) {
            case 0 -> Math.min(Limits.FIRST_INQUIRY_NANOS, half / 2);
            case 1 -> Math.min(Limits.SECOND_INQUIRY_NANOS, half);
            default ->
                ahead((questions - 1) * group.core().options().warnAfter().toNanos());
        };
    }

    private long lastQuestion() {
        return ahead(deadlineNanos - startNanos);
    }

    /** So long before {@code nanos} have passed that an answer is there by then. */
    private static long ahead(long nanos) {
        return nanos - Math.min(Limits.ANSWER_NANOS, nanos / 10);
    }

    private void onTimer() {
        if (now() >= deadlineNanos) {
            call.fail(
                    ErrorKind.TIMEOUT,
                    "timed out after "
                            + Durations.words(deadlineNanos - call.submission().submittedNanos()) + ": "
                            + whoIsMissing());
            return;
        }
        boolean askAll = questions > 0 && group.size() <= Limits.ASK_ALL_SIZE;
        int[] asked = askAll ? others() : call.awaited();
        for (int peer : asked) {
            if (peer != group.rank()) {
                group.send(peer, new Frame.Inquire(group.id(), call.number(), call.descriptor()));
            }
        }
        questions++;
        askedForTheEnd = now() - startNanos >= lastQuestion();
        scheduleNext();
    }

    private int[] others() {
        return IntStream.range(0, group.size())
                .filter(peer -> peer != group.rank())
                .toArray();
    }

    /** Who has not called, in words. */
    String whoIsMissing() {
        int[] missing = answers.entrySet().stream()
                .filter(entry ->
                        entry.getValue().whereabouts().misses(call.number()) && !call.hasHeardOf(entry.getKey()))
                .mapToInt(Map.Entry::getKey)
                .sorted()
                .toArray();
        if (missing.length > 0) {
            return "missing=" + Arrays.toString(missing) + " have not called " + describe(missing);
        }
        int[] awaited = call.awaited();
        return "no member is known to be missing; waiting for data of ranks " + Arrays.toString(awaited) + " "
                + describe(awaited);
    }

    /** Where members were when they last answered. */
    private String describe(int[] ranks) {
        String more = ranks.length > DESCRIBED ? "; and " + (ranks.length - DESCRIBED) + " more)" : ")";
        return Arrays.stream(ranks)
                .limit(DESCRIBED)
                .mapToObj(this::describe)
                .collect(Collectors.joining("; ", "(", more));
    }

    private String describe(int rank) {
        Heard heard = answers.get(rank);
        return "rank " + rank + ": "
                + (heard == null ? "has not answered" : heard.whereabouts().after(now() - heard.atNanos()));
    }
}

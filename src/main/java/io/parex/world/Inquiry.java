package io.parex.world;

import io.parex.ErrorKind;
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
 * interval, where they are; warns; and fails the call at its deadline with the names of those who have not called. A
 * question is also how a disagreement is found that sends no data, such as two ranks that both take the other for the
 * root. Owner loop only.
 */
final class Inquiry {
    private static final System.Logger LOG = System.getLogger(Inquiry.class.getName());

    private final CollectiveCall call;
    private final GroupCore group;
    private final long startNanos;
    private final long deadlineNanos;
    private final Map<Integer, Whereabouts> answers = new HashMap<>();
    private OwnerLoop.Timer timer;
    private int questions;

    Inquiry(CollectiveCall call, GroupCore group, long deadlineNanos) {
        this.call = call;
        this.group = group;
        this.startNanos = group.core().loop().nanoTime();
        this.deadlineNanos = deadlineNanos;
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
        questions = Integer.MAX_VALUE;
    }

    /** A member has said where it is. */
    void answered(int peer, Whereabouts whereabouts) {
        answers.put(peer, whereabouts);
    }

    /** A member is known to have made the call. */
    void present(int peer) {
        answers.remove(peer);
    }

    private void scheduleNext() {
        if (questions == Integer.MAX_VALUE) {
            return;
        }
        long now = group.core().loop().nanoTime();
        long at = Math.min(startNanos + nextQuestion(), deadlineNanos);
        timer = group.core().loop().schedule(Math.max(0, at - now), this::onTimer);
    }

    /** Time of the next question after the start. A short timeout still leaves time to ask and be answered. */
    private long nextQuestion() {
        long half = (deadlineNanos - startNanos) / 2;
        return switch (questions) {
            case 0 -> Math.min(Limits.FIRST_INQUIRY_NANOS, half / 2);
            case 1 -> Math.min(Limits.SECOND_INQUIRY_NANOS, half);
            default -> (questions - 1) * group.core().options().warnAfter().toNanos();
        };
    }

    private void onTimer() {
        if (group.core().loop().nanoTime() >= deadlineNanos) {
            call.fail(
                    ErrorKind.TIMEOUT,
                    "timed out after "
                            + Texts.seconds(deadlineNanos - call.submission().submittedNanos()) + ": "
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
        if (questions >= 2) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "rank {0}: call #{1} {2} on group {3} has waited {4}: {5}",
                    group.rank(),
                    Long.toString(call.number()),
                    call.descriptor(),
                    group.name(),
                    Texts.seconds(group.core().loop().nanoTime() - startNanos),
                    whoIsMissing());
        }
        questions++;
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
                .filter(entry -> entry.getValue().misses(call.number()))
                .mapToInt(Map.Entry::getKey)
                .sorted()
                .toArray();
        if (missing.length > 0) {
            return "missing=" + Arrays.toString(missing) + " have not called ("
                    + String.join("; ", call.describe(missing)) + ")";
        }
        return "no member is known to be missing; waiting for data of ranks "
                + Arrays.stream(call.awaited()).mapToObj(Integer::toString).collect(Collectors.joining(", ", "[", "]"));
    }

    /** Where a member was when it last answered. */
    String describe(int rank) {
        Whereabouts answer = answers.get(rank);
        return "rank " + rank + ": " + (answer == null ? "has not answered" : answer);
    }
}

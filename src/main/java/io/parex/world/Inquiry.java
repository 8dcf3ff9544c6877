package io.parex.world;

import io.parex.ErrorKind;
import io.parex.protocol.Durations;
import io.parex.transport.OwnerLoop;

/**
 * When a collective call that waits asks where the others are: after 100 ms, after 1 s and then each warn interval.
 * Before a warning and before the deadline it asks in time for the answers to be fresh; at the deadline it fails the
 * call with the names of those who have not called. A question is also how a disagreement is found that sends no data,
 * such as two ranks that both take the other for the root. Owner loop only.
 */
final class Inquiry {
    private final CollectiveCall call;
    private final GroupCore group;
    private final long startNanos;
    private final long deadlineNanos;
    private final Search search;
    private OwnerLoop.Timer timer;
    private int questions;
    private boolean askedForTheEnd;
    private boolean stopped;

    Inquiry(CollectiveCall call, GroupCore group, long deadlineNanos) {
        this.call = call;
        this.group = group;
        this.startNanos = group.core().loop().nanoTime();
        this.deadlineNanos = deadlineNanos;
        this.search = new Search(call, group);
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

    Search search() {
        return search;
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
                            + search.whoIsMissing());
            return;
        }
        search.begin(questions > 0);
        questions++;
        askedForTheEnd = now() - startNanos >= lastQuestion();
        scheduleNext();
    }
}

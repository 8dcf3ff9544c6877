package io.parex.bench;

import java.time.Duration;

/** A point in batches, and how long its calls take, as the last batch had it. */
final class Pace {
    /** Calls of a batch at most: their times are kept, one by one. */
    static final int MAX_CALLS = 1_000_000;

    /** Calls of a batch that is to take a time at least, however long they take. */
    private static final int MIN_CALLS = 3;

    /** How much longer than expected a batch may take, beside the timeout of a call. */
    private static final int PATIENCE = 20;

    private final Point point;
    private final Duration callTimeout;
    private double meanNanos;

    Pace(Point point, Duration callTimeout) {
        this.point = point;
        this.callTimeout = callTimeout;
    }

    /** Runs {@code calls} calls of all ranks; blocks. */
    Batch batch(int calls) {
        Duration expected = Duration.ofNanos((long) (calls * meanNanos));
        Batch batch = new Batch(point.run(calls, callTimeout.plus(expected.multipliedBy(PATIENCE))));
        meanNanos = batch.meanNanos();
        return batch;
    }

    /** How many calls, at most {@code most}, take {@code time}. After the first batch. */
    int callsFor(Duration time, int most) {
        double calls = time.toNanos() / meanNanos;
        return whole((int) Math.max(MIN_CALLS, Math.min(most, calls)));
    }

    /** The next number of calls after which all ranks are back where they began. */
    int whole(int calls) {
        return Math.ceilDiv(calls, stride()) * stride();
    }

    /** Calls that are one exchange, timed together. */
    int stride() {
        return point.traits().callsPerExchange();
    }
}

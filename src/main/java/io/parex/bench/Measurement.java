package io.parex.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One point: verify, warm up, time, verify again. */
final class Measurement {
    /** Calls of a round at most: their times are kept, one by one. */
    static final int MAX_CALLS = 1_000_000;

    /** Calls of a round at least, however long they take. */
    private static final int MIN_CALLS = 3;

    private static final int BATCHES_PER_WARM_UP = 5;
    private static final int MAX_WARM_UPS = 5;
    private static final double AGREEMENT = 0.10;

    /** An untimed batch is a hundred times as fast when warm; more would make the first guesses grow without bound. */
    private static final int MAX_GROWTH = 100;

    /** How much longer than expected a batch may take, beside the timeout of a call. */
    private static final int PATIENCE = 20;

    private final Point point;
    private final Timing timing;
    private final Consumer<String> progress;
    private double meanNanos;

    Measurement(Point point, Timing timing, Consumer<String> progress) {
        this.point = point;
        this.timing = timing;
        this.progress = progress;
    }

    /** Takes the point; blocks for as long as {@link Timing} says. */
    Figures take() {
        progress.accept("verifying");
        long wrong = Verification.of(point, timing.callTimeout());
        progress.accept("warming up");
        int calls = timing.iterations() > 0 ? whole(timing.iterations()) : 0;
        warmUp();
        if (calls == 0) {
            calls = callsFor(timing.round(), MAX_CALLS);
        }
        List<Batch> rounds = new ArrayList<>();
        if (point.traits().repeatable()) {
            point.prepare();
        }
        for (int round = 1; round <= timing.rounds(); round++) {
            progress.accept("round " + round + " of " + timing.rounds());
            rounds.add(batch(calls));
        }
        progress.accept("verifying");
        if (point.traits().repeatable()) {
            wrong = Math.max(wrong, point.wrong());
        }
        wrong = Math.max(wrong, Verification.of(point, timing.callTimeout()));
        return Rounds.figures(rounds, point.traits().callsPerExchange(), wrong);
    }

    /** Calls until the compiler has had its time and two batches after another take the same. */
    private void warmUp() {
        long startNanos = System.nanoTime();
        long leastNanos = timing.warmUp().toNanos();
        Duration batch = timing.warmUp().dividedBy(BATCHES_PER_WARM_UP);
        int calls = point.traits().callsPerExchange();
        meanNanos = batch(calls).meanNanos();
        double before = Double.MAX_VALUE;
        while (true) {
            long elapsed = System.nanoTime() - startNanos;
            boolean agreed = Math.abs(meanNanos - before) <= AGREEMENT * before;
            if (elapsed >= leastNanos && (agreed || elapsed >= leastNanos * MAX_WARM_UPS)) {
                return;
            }
            before = meanNanos;
            calls = callsFor(batch, (int) Math.min(MAX_CALLS, (long) calls * MAX_GROWTH));
            meanNanos = batch(calls).meanNanos();
        }
    }

    private Batch batch(int calls) {
        Duration expected = Duration.ofNanos((long) (calls * meanNanos));
        Duration limit = timing.callTimeout().plus(expected.multipliedBy(PATIENCE));
        return new Batch(point.run(calls, limit));
    }

    private int callsFor(Duration time, int most) {
        double calls = time.toNanos() / meanNanos;
        return whole((int) Math.max(MIN_CALLS, Math.min(most, calls)));
    }

    /** The next number of calls after which all ranks are back where they began. */
    private int whole(int calls) {
        return Math.ceilDiv(calls, point.traits().callsPerExchange())
                * point.traits().callsPerExchange();
    }
}

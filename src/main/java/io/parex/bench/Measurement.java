package io.parex.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One point: verify, warm up, time, verify again. */
final class Measurement {
    private static final int BATCHES_PER_WARM_UP = 5;
    private static final int MAX_WARM_UPS = 5;
    private static final double AGREEMENT = 0.10;

    /** An untimed batch is a hundred times as fast when warm; more would make the first guesses grow without bound. */
    private static final int MAX_GROWTH = 100;

    private final Point point;
    private final Pace pace;
    private final Timing timing;
    private final Consumer<String> progress;

    Measurement(Point point, Timing timing, Consumer<String> progress) {
        this.point = point;
        this.pace = new Pace(point, timing.callTimeout());
        this.timing = timing;
        this.progress = progress;
    }

    /** Takes the point; blocks for as long as {@link Timing} says. */
    Figures take() {
        progress.accept("verifying");
        long wrong = Verification.of(point, timing.callTimeout());
        progress.accept("warming up");
        int calls = timing.iterations() > 0 ? pace.whole(timing.iterations()) : 0;
        warmUp();
        if (calls == 0) {
            calls = pace.callsFor(timing.round(), Pace.MAX_CALLS);
        }
        List<Batch> rounds = new ArrayList<>();
        if (point.traits().repeatable()) {
            point.prepare();
        }
        for (int round = 1; round <= timing.rounds(); round++) {
            progress.accept("round " + round + " of " + timing.rounds());
            rounds.add(pace.batch(calls));
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
        int calls = pace.stride();
        double mean = pace.batch(calls).meanNanos();
        double before = Double.MAX_VALUE;
        while (true) {
            long elapsed = System.nanoTime() - startNanos;
            boolean agreed = Math.abs(mean - before) <= AGREEMENT * before;
            if (elapsed >= leastNanos && (agreed || elapsed >= leastNanos * MAX_WARM_UPS)) {
                return;
            }
            before = mean;
            calls = pace.callsFor(batch, (int) Math.min(Pace.MAX_CALLS, (long) calls * MAX_GROWTH));
            mean = pace.batch(calls).meanNanos();
        }
    }
}

package io.parex.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One point: verify, warm up, time, verify again. */
final class Measurement {
    private final Point point;
    private final long bytes;
    private final WarmUp warmUp;
    private final Timing timing;
    private final Consumer<String> progress;

    /**
     * Of {@code point}, whose calls have tensors of {@code bytes}, as one more of the series that {@code warmUp} is
     * for.
     */
    Measurement(Point point, long bytes, WarmUp warmUp, Timing timing, Consumer<String> progress) {
        this.point = point;
        this.bytes = bytes;
        this.warmUp = warmUp;
        this.timing = timing;
        this.progress = progress;
    }

    /** Takes the point; blocks for as long as {@link Timing} says. */
    Figures take() {
        progress.accept("verifying");
        long wrong = Verification.of(point, timing.callTimeout());
        progress.accept("warming up");
        Pace pace = new Pace(point, timing.callTimeout());
        warmUp.run(pace, bytes);
        int calls = timing.iterations() > 0
                ? pace.whole(timing.iterations())
                : pace.callsFor(timing.round(), Pace.MAX_CALLS);
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
}

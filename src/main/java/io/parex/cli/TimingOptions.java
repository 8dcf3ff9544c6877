package io.parex.cli;

import io.parex.ParexException;
import io.parex.bench.Timing;
import java.time.Duration;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** How long to measure. */
final class TimingOptions {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MAX_SECONDS = 86_400;

    @ArgGroup(exclusive = true)
    private Length length = new Length();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Rounds of each point, of which the median counts (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warmup",
            paramLabel = "SECONDS",
            defaultValue = "1",
            description = "Unmeasured calls before each point go on until their median has not fallen by 5 %% for this "
                    + "time, and 10,000 frames of up to 64 KiB have been sent since the table began; at most 20 times "
                    + "as long for each JVM that a processor has (default: ${DEFAULT-VALUE}).")
    private double warmUpSeconds;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "Limit of a single call (default: ${DEFAULT-VALUE}).")
    private double timeoutSeconds;

    /** One of the two. */
    private static final class Length {
        @Option(names = "--iterations", paramLabel = "N", description = "Calls of each round, instead of --seconds.")
        private Integer iterations;

        @Option(names = "--seconds", paramLabel = "SECONDS", description = "Time of each round (default: 0.5).")
        private Double seconds;
    }

    Timing timing() {
        Duration round = length.seconds == null ? Timing.DEFAULT.round() : seconds("--seconds", length.seconds);
        if (length.iterations != null && length.iterations < 1) {
            throw ParexException.argument("--iterations must be at least 1, not " + length.iterations);
        }
        return new Timing(
                seconds("--warmup", warmUpSeconds),
                round,
                length.iterations == null ? 0 : length.iterations,
                rounds,
                seconds("--timeout", timeoutSeconds));
    }

    private static Duration seconds(String option, double value) {
        if (!(value >= 0 && value <= MAX_SECONDS)) {
            throw ParexException.argument(
                    option + " must be from 0 to " + (long) MAX_SECONDS + " seconds, not " + value);
        }
        return Duration.ofNanos(Math.round(value * NANOS_PER_SECOND));
    }
}

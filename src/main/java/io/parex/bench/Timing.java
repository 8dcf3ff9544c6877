package io.parex.bench;

import io.parex.ParexException;
import java.time.Duration;

/**
 * How long to measure a point.
 *
 * @param warmUp how long calls before the first round must not have got faster; {@link WarmUp} says more
 * @param round time of one round, which sets the number of calls
 * @param iterations calls of one round, instead of {@code round}; 0: by time
 * @param rounds how often the mean is taken; the median of them is reported
 * @param callTimeout limit of a single call
 */
public record Timing(Duration warmUp, Duration round, int iterations, int rounds, Duration callTimeout) {

    /** A second of warm-up, three rounds of half a second, 60 s for a call. */
    public static final Timing DEFAULT =
            new Timing(Duration.ofSeconds(1), Duration.ofMillis(500), 0, 3, Duration.ofSeconds(60));

    public Timing {
        if (warmUp.isNegative()) {
            throw ParexException.argument("the warm-up cannot take " + warmUp);
        }
        if (iterations < 0 || iterations > Pace.MAX_CALLS) {
            throw ParexException.argument("a round has 1 to " + Pace.MAX_CALLS + " calls, not " + iterations);
        }
        if (iterations == 0 && !round.isPositive()) {
            throw ParexException.argument("a round cannot take " + round);
        }
        if (rounds < 1) {
            throw ParexException.argument("at least 1 round is needed, not " + rounds);
        }
        if (!callTimeout.isPositive()) {
            throw ParexException.argument("the timeout of a call cannot be " + callTimeout);
        }
    }
}

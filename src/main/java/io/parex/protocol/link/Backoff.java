package io.parex.protocol.link;

import java.util.Random;

/** Pauses between attempts to connect: none, then longer ones, each with some chance in it. Owner loop only. */
final class Backoff {
    private static final long[] PAUSES_MILLIS = {0, 10, 50, 200};
    private static final long LONGEST_MILLIS = 1000;
    private static final long MILLI = 1_000_000;

    private final Random random;
    private int attempts;

    Backoff(Random random) {
        this.random = random;
    }

    /**
     * The pause before the next attempt.
     *
     * @param patient whether the peer may take long, so that later pauses grow to a second
     */
    long nextNanos(boolean patient) {
        int attempt = attempts++;
        long millis = attempt < PAUSES_MILLIS.length
                ? PAUSES_MILLIS[attempt]
                : patient
                        ? Math.min(
                                LONGEST_MILLIS,
                                PAUSES_MILLIS[PAUSES_MILLIS.length - 1] << Math.min(4, attempt - PAUSES_MILLIS.length))
                        : PAUSES_MILLIS[PAUSES_MILLIS.length - 1];
        // Many ranks that lost the same peer do not come back in step.
        return millis * MILLI * 3 / 4 + random.nextLong(millis * MILLI / 2 + 1);
    }

    void reset() {
        attempts = 0;
    }
}

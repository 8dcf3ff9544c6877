package io.parex.bench;

import java.util.Comparator;
import java.util.List;

/** The calls of all ranks that took part in a batch, told by the rank that took longest. */
final class Batch {
    private final long[] slowest;

    /**
     * From all ranks' stamps.
     *
     * @param stamps for each rank the start of the first call and the end of each, in nanoseconds
     */
    Batch(List<long[]> stamps) {
        slowest =
                stamps.stream().max(Comparator.comparingLong(Batch::totalNanos)).orElseThrow();
    }

    /** Calls of each rank. */
    int calls() {
        return slowest.length - 1;
    }

    /** The slowest rank's mean per call. */
    double meanNanos() {
        return totalNanos(slowest) / (double) calls();
    }

    /** The slowest rank's times of single calls, or of each {@code stride} calls their mean. */
    double[] singleNanos(int stride) {
        double[] singles = new double[calls() / stride];
        for (int i = 0; i < singles.length; i++) {
            singles[i] = (slowest[(i + 1) * stride] - slowest[i * stride]) / (double) stride;
        }
        return singles;
    }

    private static long totalNanos(long[] times) {
        return times[times.length - 1] - times[0];
    }
}

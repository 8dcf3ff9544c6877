package io.parex.telemetry;

import java.time.Duration;
import java.util.stream.LongStream;

/**
 * Upper bounds of the buckets of every duration: from 50 microseconds, the time of a small call, to a minute. Fixed, so
 * that the buckets of all ranks add up. Four a decade, and not at round numbers: delays made by people (timeouts,
 * timers, a late rank in a test) are round, and lie in the middle of a bucket here, where an interpolated quantile is
 * nearest to the truth.
 */
final class DurationBuckets {
    private static final long[] MICROS = {
        50,
        70,
        120,
        220,
        400,
        700,
        1_200,
        2_200,
        4_000,
        7_000,
        12_000,
        22_000,
        40_000,
        70_000,
        120_000,
        220_000,
        400_000,
        700_000,
        1_200_000,
        2_200_000,
        4_000_000,
        7_000_000,
        12_000_000,
        22_000_000,
        40_000_000,
        60_000_000
    };

    private DurationBuckets() {}

    /** The bounds, ascending; a bucket without a bound follows. */
    static Duration[] bounds() {
        return LongStream.of(MICROS)
                .mapToObj(micros -> Duration.ofNanos(micros * 1000))
                .toArray(Duration[]::new);
    }
}

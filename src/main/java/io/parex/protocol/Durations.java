package io.parex.protocol;

/** Lengths of time as messages show them. */
public final class Durations {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    private Durations() {}

    /** Such as {@code 5.0 s}, below a second {@code 250 ms}, below a millisecond {@code 40 us}. */
    public static String words(long nanos) {
        if (nanos >= SECOND) {
            long tenths = (nanos + SECOND / 20) / (SECOND / 10);
            return tenths / 10 + "." + tenths % 10 + " s";
        }
        return nanos >= MILLI || nanos < MICRO ? nanos / MILLI + " ms" : nanos / MICRO + " us";
    }
}

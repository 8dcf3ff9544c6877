package io.parex.telemetry;

/**
 * The few sizes that metrics tell apart, by the bytes of an operation: few enough for a label, and placed where the
 * time of an operation begins to depend on something else (latency, the eager limit, one segment, caches, bandwidth).
 */
final class SizeClasses {
    private static final long[] UPPER_BYTES = {0, 1 << 10, 64 << 10, 1 << 20, 16 << 20, 256 << 20};
    private static final String[] LABELS = {"0", "1KiB", "64KiB", "1MiB", "16MiB", "256MiB", "larger"};

    /** Number of classes. */
    static final int COUNT = LABELS.length;

    private SizeClasses() {}

    /** The class of {@code bytes}: the first whose upper bound is not below it. */
    static int of(long bytes) {
        int index = 0;
        while (index < UPPER_BYTES.length && bytes > UPPER_BYTES[index]) {
            index++;
        }
        return index;
    }

    /** Its label, such as {@code 64KiB}: the largest size in it. */
    static String label(int index) {
        return LABELS[index];
    }
}

package io.parex.bench;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * The calls before the measured ones, until the compilers of all ranks' JVMs have done their work. They compile a
 * method again when it has run some thousand times, in the background and in turn, and while they do they compete with
 * the calls: so it takes a number of calls, and then some time in which calls get no faster. The medians of windows of
 * calls are compared, since a few slow calls move a mean. Whoever asks decides for all ranks, which make the same
 * number of calls.
 *
 * <p>One for each {@link Series}, whose points run the same code.
 */
final class WarmUp {
    /** Frames sent one way by one rank before the code of a series can be warm; a call has at least one. */
    static final long LEAST_FRAMES = 10_000;

    /**
     * The warm-up ends after so many times its least time, warm or not; if a processor has several JVMs to compile for,
     * after so many times more.
     */
    static final int MOST_TIMES = 20;

    /** By what share the median of a window has to be below that of an earlier one to count as faster. */
    private static final double FASTER = 0.05;

    /** Windows in the least time. */
    private static final int WINDOWS = 5;

    private static final int FRAME_BYTES = 64 << 10;

    /** A window is a hundred times as fast when warm; more would make the first guesses grow without bound. */
    private static final int MAX_GROWTH = 100;

    private final long leastNanos;
    private final long mostNanos;
    private final Duration window;
    private final LongSupplier clock;
    private long frames;

    /**
     * Of one series.
     *
     * @param jvmsPerProcessor how many JVMs compile the same code on each processor, rounded up
     */
    WarmUp(Duration least, int jvmsPerProcessor, LongSupplier clock) {
        this.leastNanos = least.toNanos();
        this.mostNanos = leastNanos * MOST_TIMES * jvmsPerProcessor;
        this.window = least.dividedBy(WINDOWS);
        this.clock = clock;
    }

    /** Warms a point up whose calls have tensors of {@code bytes}. */
    void run(Pace point, long bytes) {
        long framesPerCall = Math.max(1, bytes / FRAME_BYTES);
        long startNanos = clock.getAsLong();
        long fasterNanos = startNanos;
        double fastest = Double.MAX_VALUE;
        int calls = point.stride();
        while (true) {
            double median = medianNanos(point.batch(calls), point.stride());
            frames += calls * framesPerCall;
            long nowNanos = clock.getAsLong();
            // What is a little faster changes nothing, so that many times a little faster will count.
            if (median < fastest * (1 - FASTER)) {
                fastest = median;
                fasterNanos = nowNanos;
            }
            boolean warm = frames >= LEAST_FRAMES && nowNanos - fasterNanos >= leastNanos;
            if (warm || nowNanos - startNanos >= mostNanos) {
                return;
            }
            calls = point.callsFor(window, (int) Math.min(Pace.MAX_CALLS, (long) calls * MAX_GROWTH));
        }
    }

    private static double medianNanos(Batch window, int stride) {
        return Rounds.median(Arrays.stream(window.singleNanos(stride)).sorted().toArray());
    }
}

package io.parex.protocol.link;

/** The loop that everything of a rank runs on, as state machines see it. */
public interface Timing {

    /** Runs {@code task} on the loop, later, even when called on the loop itself. Any thread. */
    void execute(Runnable task);

    /** Runs {@code task} on the loop after {@code delayNanos}. Any thread. */
    Timer schedule(long delayNanos, Runnable task);

    /** The loop's clock, in nanoseconds from an arbitrary start; only differences mean anything. */
    long nanoTime();

    /** A scheduled task. */
    interface Timer {
        /** The task does not run, unless it has begun. Idempotent. */
        void cancel();
    }
}

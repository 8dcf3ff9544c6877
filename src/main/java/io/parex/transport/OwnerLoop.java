package io.parex.transport;

/**
 * The one thread on which all state of a rank is touched. Tasks run one at a time, those of one submitter in the order
 * given; none may block.
 */
public interface OwnerLoop {

    /** Runs {@code task} on the loop, later, even when called on the loop itself. Any thread. */
    void execute(Runnable task);

    /** Runs {@code task} on the loop after {@code delayNanos}. Any thread. */
    Timer schedule(long delayNanos, Runnable task);

    /** Whether the calling thread is this loop's. */
    boolean inLoop();

    /** The loop's clock, in nanoseconds from an arbitrary start; only differences mean anything. */
    long nanoTime();

    /** A scheduled task. */
    interface Timer {
        /** The task does not run, unless it has begun. Idempotent. */
        void cancel();
    }
}

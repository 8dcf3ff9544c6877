package io.parex.bench;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.time.Duration;
import java.util.List;

/** Makes the ranks of this process call again and again, each as soon as its last call is done. One batch at a time. */
interface Caller extends AutoCloseable {

    /**
     * Runs one batch: the ranks meet all others of the world in a barrier, then those that take part in
     * {@code workload} make {@code calls} calls each. Blocks until all of this process have ended.
     *
     * @param limit for the whole batch
     * @return for each rank that takes part the start of the first call and the end of each, in nanoseconds
     * @throws ParexException of the first rank that failed, or of kind timeout
     */
    List<long[]> run(Workload workload, int calls, Duration limit);

    /** Ends the threads, if any. */
    @Override
    void close();

    /** A batch that did not end. */
    static ParexException late(int calls, Duration limit, Throwable cause) {
        return new ParexException(
                ErrorKind.TIMEOUT,
                "a batch of " + calls + " calls did not end within " + limit.toMillis() + " ms",
                cause);
    }

    /** The thread that waits for a batch was interrupted. */
    static ParexException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new ParexException(ErrorKind.CANCELLED, "interrupted; the measurement was given up", cause);
    }

    /** What a rank failed with. */
    static ParexException failure(Throwable cause) {
        return cause instanceof ParexException known
                ? known
                : new ParexException(ErrorKind.PROTOCOL, "a benchmark call failed: " + cause, cause);
    }
}

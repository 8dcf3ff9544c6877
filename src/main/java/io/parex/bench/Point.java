package io.parex.bench;

import java.time.Duration;
import java.util.List;

/**
 * All ranks at one point of a run, wherever they live: what a {@link Measurement} asks of them. One thread, which
 * blocks; every method fails with {@link io.parex.ParexException}, after which the point is given up.
 */
interface Point {

    /** What is called. */
    Traits traits();

    /** Fills inputs and spoils outputs of all ranks. No call is in flight. */
    void prepare();

    /** Starts call number {@code index} of a rank, the first after {@link #await}. */
    void start(int rank, long index);

    /** Whether the call that the rank has started ends within {@code limit}. */
    boolean endsWithin(int rank, Duration limit);

    /** Waits until the calls that were started have ended, at most {@code limit} for each. */
    void await(Duration limit);

    /** Elements of all outputs that are not exactly what they must be. No call is in flight. */
    long wrong();

    /**
     * Runs one batch: all ranks meet in a barrier, then those that take part make {@code calls} calls each.
     *
     * @param limit for the whole batch
     * @return for each rank that takes part the start of the first call and the end of each, in nanoseconds of a clock
     *     of its own
     */
    List<long[]> run(int calls, Duration limit);

    /** The algorithm of rank 0's last call. */
    String algorithm();
}

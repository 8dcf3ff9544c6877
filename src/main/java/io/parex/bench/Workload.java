package io.parex.bench;

import io.parex.world.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** One primitive on tensors of one size, on all ranks of a world. */
interface Workload {

    /** Ranks of the world. */
    int ranks();

    /** Whether this rank takes part. */
    default boolean calls(int rank) {
        return true;
    }

    /** Calls of a rank until it is back where it began: 2 for a message to and fro, else 1. */
    default int callsPerExchange() {
        return 1;
    }

    /** Whether many calls leave in the outputs what one leaves. */
    default boolean repeatable() {
        return true;
    }

    /** Whether the output is the input. */
    default boolean inPlace() {
        return false;
    }

    /** Fills inputs and spoils outputs. No call is in flight. */
    void prepare();

    /** Starts a rank's call number {@code index}, counted from 0. Any thread, one at a time for each rank. */
    Work start(int rank, long index);

    /** Elements of all outputs that are not exactly what they must be. No call is in flight. */
    long wrong();

    /**
     * Prepares, calls once on all ranks, and looks at the results.
     *
     * @param limit for each call
     * @return how many elements were wrong
     */
    default long verify(Duration limit) {
        prepare();
        for (int call = 0; call < callsPerExchange(); call++) {
            List<Work> works = new ArrayList<>();
            for (int rank : IntStream.range(0, ranks()).filter(this::calls).toArray()) {
                works.add(start(rank, call));
            }
            works.forEach(work -> work.await(limit));
        }
        return wrong();
    }
}

package io.parex.bench;

import java.util.List;

/** What the launcher tells a member to do; each order is answered by one {@link Reply}. Times in nanoseconds. */
sealed interface Order {

    /**
     * The first: be rank {@code rank} of a world of {@code ranks}, and listen. Answered by the port.
     *
     * @param largestBytes of a tensor
     * @param wholeTensorBytes scratch that algorithms need for whole tensors, of this rank
     */
    record Begin(int rank, int ranks, CallShape shape, long largestBytes, long wholeTensorBytes, long callTimeoutNanos)
            implements Order {}

    /** All ranks listen, on these ports; the member joins them. Answered when it has. */
    record Join(List<Integer> ports) implements Order {}

    /** {@link Site#point}; answered by its traits. */
    record Open(Series series, long count) implements Order {}

    /** {@link Point#prepare}. */
    record Prepare() implements Order {}

    /** {@link Point#start} of this rank. */
    record Start(long index) implements Order {}

    /** {@link Point#endsWithin} of this rank; answered by 1 or 0. */
    record EndsWithin(long limitNanos) implements Order {}

    /** {@link Point#await}. */
    record Await(long limitNanos) implements Order {}

    /** {@link Point#wrong}; answered by the number. */
    record CountWrong() implements Order {}

    /** {@link Point#run}; answered by the times. */
    record Run(int calls, long limitNanos) implements Order {}

    /** {@link Point#algorithm}; answered by the name. */
    record NameAlgorithm() implements Order {}

    /** The last: leave the world. Answered when that is done, after which the member ends. */
    record Leave() implements Order {}
}

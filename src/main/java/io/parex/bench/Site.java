package io.parex.bench;

/** Where the ranks of a run live. One thread, which blocks. */
interface Site extends AutoCloseable {

    /** All ranks, ready for {@code series} on tensors of {@code count} elements. One point at a time. */
    Point point(Series series, long count);

    /** Ends the world. */
    @Override
    void close();
}

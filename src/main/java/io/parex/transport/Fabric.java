package io.parex.transport;

/** What the ranks of one process live on. Any thread. */
public interface Fabric extends AutoCloseable {

    /** What rank {@code rank}, which lives in this process, sees of the fabric. */
    Network network(int rank);

    /** Ends the loops and frees the memory; ranks are closed before. Blocks, for a limited time. */
    @Override
    void close();
}

package io.parex.transport;

import io.parex.tensor.BufferPool;

/** What the ranks of one process live on. Any thread. */
public interface Fabric extends AutoCloseable {

    /** Memory for copies and scratch of the ranks of a process; who is refused learns which setting to raise. */
    static BufferPool newPool(long limitBytes) {
        return new BufferPool(limitBytes, "parex.scratch.max-bytes; in Java WorldOptions.copyPoolBytes");
    }

    /** What rank {@code rank}, which lives in this process, sees of the fabric. */
    Network network(int rank);

    /** Ends the loops and frees the memory; ranks are closed before. Blocks, for a limited time. Idempotent. */
    @Override
    void close();
}

package io.parex.service;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.BufferPool;
import io.parex.tensor.PooledBuffer;

/**
 * Native memory for tensors between clients and fabric, with a bound for the whole process. A call reserves all it will
 * ever need at its header or is refused at once: calls that waited for memory while holding some could starve each
 * other, on this rank or across ranks. Any thread.
 */
final class Staging implements AutoCloseable {
    private final BufferPool pool;

    Staging(long limitBytes) {
        pool = new BufferPool(limitBytes);
    }

    long limitBytes() {
        return pool.limitBytes();
    }

    long usedBytes() {
        return pool.usedBytes();
    }

    /**
     * Memory of exactly {@code bytes}, to be released when nothing can touch it any more. Takes as long as the system
     * needs to provide it: some 0.3 ms a MiB that was not used before.
     *
     * @throws ParexException of kind {@code overloaded} if the bound does not allow it
     */
    PooledBuffer reserve(long bytes) {
        try {
            return pool.acquire(bytes);
        } catch (ParexException e) {
            if (e.kind() != ErrorKind.OVERLOADED) {
                throw e;
            }
            throw new ParexException(
                    ErrorKind.OVERLOADED,
                    "the call needs " + bytes + " bytes of staging memory, " + usedBytes() + " of the " + limitBytes()
                            + " allowed (parex.staging.max-bytes) are in use"
                            + (bytes > limitBytes() ? ", so that trying again will not help" : ""),
                    e);
        }
    }

    /** Gives all memory back to the system; after the ranks that use it have closed. */
    @Override
    public void close() {
        pool.close();
    }
}

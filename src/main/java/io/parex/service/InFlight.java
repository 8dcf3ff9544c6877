package io.parex.service;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the operations of the edge, so that a shutdown can refuse new ones and wait for those there are. Any thread.
 */
final class InFlight {
    private final AtomicInteger operations = new AtomicInteger();
    private final CountDownLatch drained = new CountDownLatch(1);
    private volatile boolean closing;

    /** Lets an operation in. */
    void enter() {
        operations.incrementAndGet();
        // Looked at after counting: a drain that began before sees either the count or the refusal.
        if (closing) {
            leave();
            throw new ParexException(
                    ErrorKind.UNAVAILABLE, "shutting down: no new calls are taken; nothing was started");
        }
    }

    /** An operation has ended. */
    void leave() {
        if (operations.decrementAndGet() == 0 && closing) {
            drained.countDown();
        }
    }

    int count() {
        return operations.get();
    }

    boolean isClosing() {
        return closing;
    }

    /** From now on every {@link #enter} is refused. */
    void close() {
        closing = true;
        if (operations.get() == 0) {
            drained.countDown();
        }
    }

    /**
     * After {@link #close}: waits until all operations have ended. Whether they have. Blocks; never on an event loop.
     */
    boolean awaitDrained(Duration limit) {
        try {
            return drained.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

package io.parex.service;

import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.function.BooleanSupplier;

/**
 * Shares what a stream takes among the operations that have output, a chunk each in turn, so that none of them holds up
 * the others. In the stream's mailbox.
 */
final class OutputRotation {
    private final SequencedSet<Operation> waiting = new LinkedHashSet<>();
    private final BooleanSupplier streamReady;
    private boolean pumping;

    /** A rotation for a stream of which {@code streamReady} says whether it takes another chunk. */
    OutputRotation(BooleanSupplier streamReady) {
        this.streamReady = streamReady;
    }

    /** {@code operation} has output. */
    void add(Operation operation) {
        waiting.add(operation);
        pump();
    }

    /** Sends for as long as the stream takes more. */
    void pump() {
        // An operation that looks for more output while it is pumped comes back here.
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            while (!waiting.isEmpty() && streamReady.getAsBoolean()) {
                waiting.removeFirst().pump();
            }
        } finally {
            pumping = false;
        }
    }
}

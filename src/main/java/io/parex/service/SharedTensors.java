package io.parex.service;

import io.parex.ParexException;

/**
 * Where a client has placed the tensors of one operation. In the mailbox of its session.
 *
 * @param segments of the client, null if it has none
 * @param message that says where
 */
record SharedTensors(SharedSegments segments, io.parex.v1.Operation message) {
    /** Of operations whose tensors all travel in chunks. */
    static final SharedTensors NONE = new SharedTensors(null, io.parex.v1.Operation.getDefaultInstance());

    /** The input; null if it travels in chunks, or there is none. */
    SharedSegments.Use input(Shape shape) {
        return shape == null || !message.hasInput() ? null : required().use(message.getInput(), shape);
    }

    /** The output; null if it travels in chunks, or there is none. */
    SharedSegments.Use output(Shape shape) {
        return shape == null || !message.hasOutput() ? null : required().use(message.getOutput(), shape);
    }

    private SharedSegments required() {
        if (segments == null) {
            throw ParexException.argument(
                    "the operation names a place in shared memory on a session without rings of its own");
        }
        return segments;
    }
}

package io.parex.protocol;

import io.parex.tensor.PooledBuffer;
import java.lang.foreign.MemorySegment;

/**
 * Bytes of a tensor in a data frame: either copied into a buffer that travels with the frame and that the receiver
 * releases, or lent, the sender's own memory, which the sender leaves alone until the receiver says how far it has
 * consumed.
 *
 * @param segment the bytes
 * @param buffer the buffer that holds them, null if lent
 */
public record Payload(MemorySegment segment, PooledBuffer buffer) {

    /** The memory of the sender itself. */
    public static Payload lent(MemorySegment segment) {
        return new Payload(segment, null);
    }

    /** A copy that the receiver releases. */
    public static Payload copied(PooledBuffer buffer) {
        return new Payload(buffer.segment(), buffer);
    }

    public boolean isLent() {
        return buffer == null;
    }

    /** Gives the buffer of a copy back; nothing to do for lent bytes, whose return is a {@link Frame.Released}. */
    public void release() {
        if (buffer != null) {
            buffer.release();
        }
    }
}

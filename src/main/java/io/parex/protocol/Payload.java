package io.parex.protocol;

import io.parex.tensor.BufferPool;
import io.parex.tensor.PooledBuffer;
import java.lang.foreign.MemorySegment;

/**
 * Bytes of a tensor in a data frame. Copied: in a buffer that travels with the frame and that the receiver releases.
 * Lent: the sender's own memory, which the sender leaves alone until the receiver says how far it has consumed.
 * Passing: memory of a connection, valid while the frame is handed over; who needs it longer keeps a copy.
 *
 * @param segment the bytes
 * @param buffer the buffer that holds them if copied, else null
 * @param isPassing whether they are valid only while the frame is handed over
 */
public record Payload(MemorySegment segment, PooledBuffer buffer, boolean isPassing) {

    /** The memory of the sender itself. */
    public static Payload lent(MemorySegment segment) {
        return new Payload(segment, null, false);
    }

    /** A copy that the receiver releases. */
    public static Payload copied(PooledBuffer buffer) {
        return new Payload(buffer.segment(), buffer, false);
    }

    /** Memory of a connection. */
    public static Payload passing(MemorySegment segment) {
        return new Payload(segment, null, true);
    }

    /** A copy of the bytes from {@code from} on, in memory of {@code pool}. */
    public Payload kept(long from, BufferPool pool) {
        PooledBuffer copy = pool.acquire(segment.byteSize() - from);
        copy.segment().copyFrom(segment.asSlice(from));
        return copied(copy);
    }

    public boolean isLent() {
        return buffer == null && !isPassing;
    }

    /** Gives the buffer of a copy back; nothing to do for lent bytes, whose return is a {@link Frame.Released}. */
    public void release() {
        if (buffer != null) {
            buffer.release();
        }
    }
}

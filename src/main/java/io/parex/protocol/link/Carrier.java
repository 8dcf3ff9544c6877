package io.parex.protocol.link;

import java.lang.foreign.MemorySegment;

/** One connection as the link that writes to it sees it. Owner loop only; nothing blocks. */
public interface Carrier {

    /**
     * Begins, after this returns, to hand over what arrives: {@link PeerLink#arrived}, from the first byte after the
     * handshake; or says {@link PeerLink#detached} if the connection has ended before.
     */
    void start();

    /** Writes bytes that the caller may change as soon as this returns. */
    void write(MemorySegment bytes);

    /**
     * Writes memory by reference.
     *
     * @param written runs, on the loop, when the connection no longer refers to {@code bytes}, sent or not; later than
     *     this call returns
     */
    void write(MemorySegment bytes, Runnable written);

    /** Whether more should be written now; else {@link PeerLink#writable} is called when it should. */
    boolean isWritable();

    /** Address of the other end, in words; empty where there is none. */
    default String farEnd() {
        return "";
    }

    /** Sends what was written since the last flush. */
    void flush();

    /**
     * Ends the connection; what was not sent is dropped. {@link PeerLink#detached} is called once the connection refers
     * to no memory any more. Idempotent.
     */
    void close();
}

package io.parex.protocol.link;

import io.parex.protocol.Frame;
import java.lang.foreign.MemorySegment;

/**
 * One frame from the moment it is taken from the outbox until it is acknowledged and no connection refers to its
 * payload. Owner loop only.
 */
final class Outgoing {
    private final Frame control;
    private final String closeReason;
    private final DataSource source;
    private final long offset;
    private final boolean last;
    private final int length;
    private MemorySegment payload;
    private long number;
    private int references;
    private boolean settled;
    private boolean wentVoid;

    private Outgoing(
            Frame control, String closeReason, DataSource source, MemorySegment payload, long offset, boolean last) {
        this.control = control;
        this.closeReason = closeReason;
        this.source = source;
        this.payload = payload;
        this.offset = offset;
        this.last = last;
        this.length = payload == null ? 0 : (int) payload.byteSize();
    }

    static Outgoing control(Frame frame) {
        return new Outgoing(frame, null, null, null, 0, false);
    }

    static Outgoing close(String reason) {
        return new Outgoing(null, reason, null, null, 0, false);
    }

    /** The piece {@code cut} of {@code source}, just cut. */
    static Outgoing data(DataSource source, MemorySegment cut, boolean last) {
        return new Outgoing(null, null, source, cut, source.offset() - cut.byteSize(), last);
    }

    boolean isData() {
        return source != null;
    }

    /** The frame, of control. */
    Frame control() {
        return control;
    }

    /** Why the link ends, of the frame that says so; else null. */
    String closeReason() {
        return closeReason;
    }

    long transfer() {
        return source.transfer();
    }

    /** Of the payload in its transfer. */
    long offset() {
        return offset;
    }

    /** Bytes of the payload, also of one that is void. */
    int length() {
        return length;
    }

    /**
     * Whether the sender waits for nothing but the acknowledgement: it ends a transfer of lent memory. Of a copy nobody
     * waits for more than to reuse it, which can wait for the next frame the other way.
     */
    boolean isAwaited() {
        return last && isLent();
    }

    boolean isLent() {
        return source != null && source.isLent();
    }

    /** The bytes; null if they are not to be sent any more. */
    MemorySegment payload() {
        return payload;
    }

    boolean isVoid() {
        return source != null && payload == null;
    }

    /** The payload must not be read any more; a connection that refers to it may still send it. */
    void makeVoid() {
        payload = null;
    }

    /** It goes with its payload or, if that is void, without. */
    void written() {
        wentVoid |= isVoid();
    }

    /** Whether the peer that has consumed it has its payload. */
    boolean isDelivered() {
        return !wentVoid;
    }

    long number() {
        return number;
    }

    void numbered(long value) {
        number = value;
    }

    /** A connection refers to the payload. */
    void referred() {
        references++;
    }

    /** A connection does not refer to the payload any more. */
    void letGo() {
        references--;
        settleIfFree();
    }

    /** How often connections refer to the payload. */
    int references() {
        return references;
    }

    /** Not needed any more: acknowledged, or the link has ended. */
    void settle() {
        settled = true;
        settleIfFree();
    }

    private void settleIfFree() {
        if (settled && references == 0 && source != null) {
            source.settled();
        }
    }
}

package io.parex.protocol.wire;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Cuts the payload of one frame after the other into pieces of whole units, as it arrives, without copying. */
final class PayloadPieces {
    private static final int UNIT = WireLimits.UNIT_BYTES;

    private final FrameListener listener;

    /** The beginning of a unit whose end has not arrived. */
    private final MemorySegment carry = Arena.ofAuto().allocate(UNIT);

    private int carried;

    private Header header;
    private long transfer;
    private long offset;
    private int missing;
    private int delivered;

    PayloadPieces(FrameListener listener) {
        this.listener = listener;
    }

    /** A frame begins. */
    void begin(Header frame, long intoTransfer, long atOffset) {
        header = frame;
        transfer = intoTransfer;
        offset = atOffset;
        missing = frame.payloadBytes();
        delivered = frame.start();
        carried = 0;
    }

    /** Payload bytes of the frame that the listener has had, on this connection or before. */
    int delivered() {
        return delivered;
    }

    /** Whether the frame has been delivered to its end. */
    boolean isDone() {
        return missing == 0 && carried == 0;
    }

    /** Delivers the beginning of what is left of the segment fed: one piece at most. */
    void advance(Assembly input) {
        if (carried > 0) {
            fillUp(input);
            return;
        }
        long size = Math.min(input.left(), missing);
        boolean last = size == missing;
        long whole = last ? size : size - size % UNIT;
        missing -= (int) whole;
        if (whole > 0 || last) {
            deliver(input.take(whole), last);
        } else {
            fillUp(input);
        }
    }

    /** Delivers all of the frame's payload at once. */
    void deliverWhole(MemorySegment payload) {
        missing = 0;
        deliver(payload, true);
    }

    private void fillUp(Assembly input) {
        int more = (int) Math.min(UNIT - carried, Math.min(input.left(), missing));
        MemorySegment.copy(input.take(more), 0, carry, carried, more);
        carried += more;
        missing -= more;
        if (carried == UNIT || missing == 0) {
            int size = carried;
            carried = 0;
            deliver(carry.asSlice(0, size), missing == 0);
        }
    }

    private void deliver(MemorySegment piece, boolean last) {
        listener.onData(header, transfer, offset + delivered, piece, last);
        delivered += (int) piece.byteSize();
    }
}

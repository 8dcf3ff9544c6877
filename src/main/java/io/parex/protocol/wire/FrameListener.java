package io.parex.protocol.wire;

import io.parex.protocol.Frame;
import java.lang.foreign.MemorySegment;

/**
 * What {@link FrameReader} makes of the bytes, on the thread that feeds it. An exception from here goes through to the
 * caller of the reader, which stops.
 */
public interface FrameListener {

    /**
     * A frame begins, before any of the calls below for it: its header and its body are proved, of DATA also transfer
     * and offset. The place to take the acknowledgement and to check the number.
     */
    void onHeader(Header header);

    /** A whole frame from the peer's rank; never DATA. */
    void onControl(Header header, Frame frame);

    /** A whole frame from the peer's end of the link. */
    void onLink(Header header, LinkFrame frame);

    /**
     * The next payload bytes of a DATA frame.
     *
     * @param offset where they belong in the transfer
     * @param piece valid during the call; begins and ends at a multiple of {@link WireLimits#UNIT_BYTES} from the start
     *     of the frame's payload, but for the end of the last one
     * @param last whether the frame ends with it; only then may it be empty
     */
    void onData(Header header, long transfer, long offset, MemorySegment piece, boolean last);

    /** A DATA frame whose payload does not come any more; it counts as consumed. */
    void onVoid(Header header, long transfer, long offset);

    /** A frame of a type that is not known and may be passed over; if it has a number, it counts as consumed. */
    void onSkipped(Header header);
}

package io.parex.protocol.link;

import io.parex.protocol.wire.FrameEncoder;
import io.parex.protocol.wire.Header;
import io.parex.protocol.wire.LinkFrame;
import io.parex.protocol.wire.Stamp;
import io.parex.protocol.wire.WireLimits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Encodes frames, one at a time: each result is valid until the next call. Owner loop only. */
final class FrameOutput {
    private static final long BYTES = WireLimits.HEADER_BYTES + WireLimits.BODY_BYTES;

    private final MemorySegment bytes = Arena.ofAuto().allocate(BYTES, WireLimits.UNIT_BYTES);

    /** The first frame of a connection. */
    MemorySegment resume(Position position) {
        return unsequenced(new LinkFrame.Resume(position.frames(), position.bytes()), position);
    }

    MemorySegment acknowledgement(Position position) {
        return unsequenced(new LinkFrame.Ack(), position);
    }

    MemorySegment ping(long token, Position position) {
        return unsequenced(new LinkFrame.Ping(token), position);
    }

    MemorySegment pong(long token, Position position) {
        return unsequenced(new LinkFrame.Pong(token), position);
    }

    private MemorySegment unsequenced(LinkFrame frame, Position position) {
        return bytes.asSlice(0, FrameEncoder.encode(frame, stamp(0, 0, position), bytes, 0));
    }

    /**
     * A numbered frame; of data what goes before the payload, or all of it.
     *
     * @param start payload bytes of it that the peer has consumed
     * @param withPayload whether the payload follows in the result
     */
    MemorySegment frame(Outgoing frame, int start, boolean withPayload, Position position) {
        if (!frame.isData()) {
            Stamp stamp = stamp(frame.closeReason() == null ? 0 : Header.ACK_NOW, frame.number(), position);
            int length = frame.closeReason() == null
                    ? FrameEncoder.encode(frame.control(), stamp, bytes, 0)
                    : FrameEncoder.encode(new LinkFrame.Close(frame.closeReason()), stamp, bytes, 0);
            return bytes.asSlice(0, length);
        }
        int flags = (frame.isVoid() ? Header.VOID : 0) | (frame.isAwaited() ? Header.ACK_NOW : 0);
        int payload = frame.isVoid() ? 0 : frame.length() - start;
        Header header = Header.data(flags, start, payload, frame.number(), position.frames(), position.bytes());
        FrameEncoder.encodeData(header, frame.transfer(), frame.offset(), bytes, 0);
        if (!withPayload) {
            return bytes.asSlice(0, FrameEncoder.DATA_HEAD_BYTES);
        }
        MemorySegment.copy(frame.payload(), start, bytes, FrameEncoder.DATA_HEAD_BYTES, payload);
        return bytes.asSlice(0, FrameEncoder.DATA_HEAD_BYTES + payload);
    }

    private static Stamp stamp(int flags, long number, Position position) {
        return new Stamp(flags, number, position.frames(), position.bytes());
    }
}

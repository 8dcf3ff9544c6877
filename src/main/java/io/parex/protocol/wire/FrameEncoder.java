package io.parex.protocol.wire;

import io.parex.protocol.Frame;
import io.parex.protocol.wire.WireException.Kind;
import java.lang.foreign.MemorySegment;

/**
 * Frames to bytes. A control frame is encoded whole; of a DATA frame only what goes before and behind its payload,
 * which stays where it is. Targets are native memory or byte arrays. What is not to be sent is refused with kind
 * {@code UNSENDABLE}.
 */
public final class FrameEncoder {
    /** Header and body of a DATA frame. */
    public static final int DATA_HEAD_BYTES = WireLimits.HEADER_BYTES + WireLimits.DATA_BODY_BYTES;

    private static final long LAST_OFFSET = Long.MAX_VALUE - WireLimits.PAYLOAD_BYTES;

    private FrameEncoder() {}

    /** Length of an encoded frame; not of DATA. */
    public static int size(Frame frame) {
        BodyWriter body = BodyWriter.counting(FrameType.of(frame).name());
        FrameCodec.write(body, frame);
        return WireLimits.HEADER_BYTES + body.written();
    }

    /** Length of an encoded frame. */
    public static int size(LinkFrame frame) {
        BodyWriter body = BodyWriter.counting(FrameType.of(frame).name());
        LinkFrameCodec.write(body, frame);
        return WireLimits.HEADER_BYTES + body.written();
    }

    /** Encodes a frame that is not DATA into {@code to} from {@code at} on; answers its length. */
    public static int encode(Frame frame, Stamp stamp, MemorySegment to, long at) {
        FrameType type = FrameType.of(frame);
        BodyWriter body = new BodyWriter(type.name(), to, at + WireLimits.HEADER_BYTES);
        FrameCodec.write(body, frame);
        return head(type, stamp, body, to, at);
    }

    /** Encodes a frame of the link into {@code to} from {@code at} on; answers its length. */
    public static int encode(LinkFrame frame, Stamp stamp, MemorySegment to, long at) {
        FrameType type = FrameType.of(frame);
        BodyWriter body = new BodyWriter(type.name(), to, at + WireLimits.HEADER_BYTES);
        LinkFrameCodec.write(body, frame);
        return head(type, stamp, body, to, at);
    }

    /**
     * Encodes the {@link #DATA_HEAD_BYTES} bytes before the payload.
     *
     * @param offset of the whole frame's payload in the transfer, also where the header has a start
     */
    public static void encodeData(Header header, long transfer, long offset, MemorySegment to, long at) {
        if (header.type() != FrameType.DATA || transfer < 0 || offset < 0 || offset > LAST_OFFSET) {
            throw new WireException(
                    Kind.UNSENDABLE, header + " of transfer " + transfer + ", offset " + offset + ": no DATA frame");
        }
        Wire.putI64(to, at + WireLimits.HEADER_BYTES, transfer);
        Wire.putI64(to, at + WireLimits.HEADER_BYTES + Long.BYTES, offset);
        HeaderCodec.encode(header, to, at);
    }

    /** Writes the checksum that goes behind the payload bytes of a frame with {@link Header#PAYLOAD_CRC}. */
    public static void encodePayloadCrc(MemorySegment payload, MemorySegment to, long at) {
        Wire.putI32(to, at, Checksum.of(payload));
    }

    private static int head(FrameType type, Stamp stamp, BodyWriter body, MemorySegment to, long at) {
        int length = body.written();
        HeaderCodec.encode(
                new Header(type.code(), stamp.flags(), 0, length, stamp.number(), stamp.ackFrame(), stamp.ackBytes()),
                to,
                at);
        return WireLimits.HEADER_BYTES + length;
    }
}

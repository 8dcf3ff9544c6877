package io.parex.protocol.wire;

/**
 * The header of a frame, without its checksum.
 *
 * @param code code of the frame's type
 * @param flags bits {@link #PAYLOAD_CRC}, {@link #ACK_NOW} and {@link #VOID}
 * @param start of a DATA frame that is sent again in part: payload bytes that the receiver has consumed of it, which
 *     are left out; else 0
 * @param length bytes that follow the header: body, payload and the payload's checksum
 * @param number of a sequenced frame, from 1; else 0
 * @param ackFrame number of the last frame that the sender of this one has consumed whole, 0 before the first
 * @param ackBytes payload bytes that it has consumed of the frame after that
 */
public record Header(int code, int flags, int start, int length, long number, long ackFrame, int ackBytes) {
    /** A CRC32C of the payload bytes in this frame follows them. */
    public static final int PAYLOAD_CRC = 0b001;

    /** The receiver acknowledges without delay. */
    public static final int ACK_NOW = 0b010;

    /** The payload is not sent any more and the frame counts as consumed; its operation ended early. */
    public static final int VOID = 0b100;

    /** Of a DATA frame with {@code payloadBytes} bytes of payload from {@code start} on; none if it is void. */
    public static Header data(int flags, int start, int payloadBytes, long number, long ackFrame, int ackBytes) {
        int length = WireLimits.DATA_BODY_BYTES + payloadBytes;
        if ((flags & PAYLOAD_CRC) != 0) {
            length += WireLimits.PAYLOAD_CRC_BYTES;
        }
        return new Header(FrameType.DATA.code(), flags, start, length, number, ackFrame, ackBytes);
    }

    /** The frame's type, null if this side does not know it. */
    public FrameType type() {
        return FrameType.of(code);
    }

    /** Whether one of the bits {@code flag} is set. */
    public boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** Payload bytes in this frame, which begin at {@link #start} of the payload. */
    public int payloadBytes() {
        return type() == FrameType.DATA ? length - besidePayload() : 0;
    }

    /** Length of a DATA frame without payload. */
    int besidePayload() {
        return WireLimits.DATA_BODY_BYTES + (has(PAYLOAD_CRC) ? WireLimits.PAYLOAD_CRC_BYTES : 0);
    }

    /** Bytes that the checksum of the header covers beside the header. */
    int bodyBytes() {
        return type() == FrameType.DATA ? WireLimits.DATA_BODY_BYTES : length;
    }

    /** Such as {@code OPEN frame 17}. */
    @Override
    public String toString() {
        FrameType type = type();
        String name = type == null ? "frame type 0x" + Integer.toHexString(code) : type.name();
        return number == 0 ? name : name + " frame " + number;
    }
}

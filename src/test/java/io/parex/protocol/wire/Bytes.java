package io.parex.protocol.wire;

import io.parex.protocol.Frame;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;

/** Frames as byte arrays. */
final class Bytes {
    private Bytes() {}

    static byte[] of(Frame frame, Stamp stamp) {
        byte[] bytes = new byte[FrameEncoder.size(frame)];
        int written = FrameEncoder.encode(frame, stamp, MemorySegment.ofArray(bytes), 0);
        return Arrays.copyOf(bytes, written);
    }

    static byte[] of(LinkFrame frame, Stamp stamp) {
        byte[] bytes = new byte[FrameEncoder.size(frame)];
        int written = FrameEncoder.encode(frame, stamp, MemorySegment.ofArray(bytes), 0);
        return Arrays.copyOf(bytes, written);
    }

    /** A DATA frame whose header goes with these payload bytes. */
    static byte[] of(Header header, long transfer, long offset, byte[] payload) {
        byte[] bytes = new byte[WireLimits.HEADER_BYTES + header.length()];
        MemorySegment target = MemorySegment.ofArray(bytes);
        FrameEncoder.encodeData(header, transfer, offset, target, 0);
        MemorySegment.copy(
                MemorySegment.ofArray(payload), 0, target, FrameEncoder.DATA_HEAD_BYTES, header.payloadBytes());
        if (header.has(Header.PAYLOAD_CRC)) {
            long end = FrameEncoder.DATA_HEAD_BYTES + header.payloadBytes();
            FrameEncoder.encodePayloadCrc(MemorySegment.ofArray(payload), target, end);
        }
        return bytes;
    }

    static byte[] of(Handshake message) {
        byte[] bytes = new byte[WireLimits.HANDSHAKE_BYTES];
        return Arrays.copyOf(bytes, HandshakeEncoder.encode(message, MemorySegment.ofArray(bytes), 0));
    }

    /** Makes the checksum of a control frame, or of the head of a DATA frame, right again after a change. */
    static byte[] sealed(byte[] frame, int bodyBytes) {
        MemorySegment bytes = MemorySegment.ofArray(frame);
        Wire.putI32(bytes, 28, Checksum.of(bytes, 0, 28, WireLimits.HEADER_BYTES, bodyBytes));
        return frame;
    }

    static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** A copy with one bit turned round. */
    static byte[] flipped(byte[] bytes, int bit) {
        byte[] changed = bytes.clone();
        changed[bit / 8] ^= (byte) (1 << bit % 8);
        return changed;
    }
}

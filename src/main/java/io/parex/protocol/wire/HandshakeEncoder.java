package io.parex.protocol.wire;

import java.lang.foreign.MemorySegment;

/** Handshake messages to bytes. */
public final class HandshakeEncoder {
    private HandshakeEncoder() {}

    /**
     * Encodes a message into {@code to} from {@code at} on; answers its length, at most
     * {@link WireLimits#HANDSHAKE_BYTES}.
     */
    public static int encode(Handshake message, MemorySegment to, long at) {
        BodyWriter body = new BodyWriter(message.getClass().getSimpleName(), to, at + WireLimits.PREAMBLE_BYTES);
        int code = switch (message) {
            case Hello hello -> {
                HandshakeCodec.write(body, hello);
                yield Preamble.HELLO;
            }
            case Reject reject -> {
                HandshakeCodec.write(body, reject);
                yield Preamble.REJECT;
            }
        };
        Preamble preamble = new Preamble(code, Handshake.MIN_VERSION, Handshake.MAX_VERSION, body.written());
        preamble.write(to, at);
        int covered = preamble.messageBytes() - Preamble.CRC_BYTES;
        Wire.putI32(to, at + covered, Checksum.of(to.asSlice(at, covered)));
        return preamble.messageBytes();
    }
}

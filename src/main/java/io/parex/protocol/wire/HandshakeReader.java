package io.parex.protocol.wire;

import io.parex.protocol.wire.WireException.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;

/**
 * Reads the one handshake message with which each side of a connection begins, from segments of any size. Whatever else
 * speaks there is named as far as its first bytes tell.
 */
public final class HandshakeReader {
    private final MemorySegment buffer = MemorySegment.ofArray(new byte[WireLimits.HANDSHAKE_BYTES]);
    private int collected;
    private int consumed;
    private Preamble preamble;

    /**
     * Takes the next bytes of the connection; not to be called again after it has answered or thrown.
     *
     * @return the message, null as long as more bytes are needed
     * @throws WireException if they are no handshake message
     */
    public Handshake feed(MemorySegment bytes) {
        consumed = 0;
        if (preamble == null) {
            collect(bytes, WireLimits.PREAMBLE_BYTES);
            requireOurs();
            if (collected < WireLimits.PREAMBLE_BYTES) {
                return null;
            }
            preamble = Preamble.read(buffer);
        }
        collect(bytes, preamble.messageBytes());
        return collected == preamble.messageBytes() ? message() : null;
    }

    /** Bytes of the segment fed last that the message took; those after it are the first frames. */
    public int consumed() {
        return consumed;
    }

    /** The version to speak with the peer, the newest that both know; after a message was read. */
    public int version() {
        return Math.min(preamble.maxVersion(), Handshake.MAX_VERSION);
    }

    /** What has come so far, for one that hangs up or falls silent, such as {@code 3 bytes: 53 53 48}. */
    public String received() {
        byte[] first = first();
        String bytes =
                first.length == 0 ? "" : ": " + HexFormat.ofDelimiter(" ").formatHex(first);
        return collected + " bytes" + bytes + (collected > first.length ? " ..." : "");
    }

    private void collect(MemorySegment bytes, int upTo) {
        int more = (int) Math.min(upTo - collected, bytes.byteSize() - consumed);
        MemorySegment.copy(bytes, consumed, buffer, collected, more);
        collected += more;
        consumed += more;
    }

    private void requireOurs() {
        if (!Preamble.mayBegin(buffer, collected)) {
            WireException foreign = Foreign.recognise(first());
            if (foreign != null) {
                throw foreign;
            }
        }
    }

    private byte[] first() {
        return buffer.asSlice(0, Math.min(collected, Foreign.SHOWN_BYTES)).toArray(ValueLayout.JAVA_BYTE);
    }

    private Handshake message() {
        int covered = collected - Preamble.CRC_BYTES;
        int sent = Wire.i32(buffer, covered);
        int found = Checksum.of(buffer.asSlice(0, covered));
        if (sent != found) {
            throw new WireException(
                    Kind.DAMAGED, "handshake: CRC32C is " + Wire.hex(found) + ", the message says " + Wire.hex(sent));
        }
        String name = preamble.code() == Preamble.HELLO ? "HELLO" : "REJECT";
        int length = preamble.length();
        return HandshakeCodec.read(preamble, new BodyReader(name, buffer, WireLimits.PREAMBLE_BYTES, length));
    }
}

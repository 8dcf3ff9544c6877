package io.parex.protocol.wire;

import io.parex.protocol.wire.WireException.Kind;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * The 16 bytes before the body of a handshake message, and the checksum behind it.
 *
 * <pre>
 *    0      1      2      3      4      5      6      7
 * +------+------+------+------+------+------+------+------+
 * |  P      A      R      E      X      CR     LF     SUB |  0   CR LF SUB: does not survive being taken for text
 * +------+------+------+------+---------------------------+
 * | kind |  min |  max |   0  |      length of body       |  8   kind: 1 HELLO, 2 REJECT
 * +------+------+------+------+---------------------------+
 * |  body ...                                             | 16
 * +---------------------------+---------------------------+
 * |  CRC32C of all before     |
 * +---------------------------+
 * </pre>
 *
 * @param code kind of the message
 * @param minVersion oldest version that the sender speaks
 * @param maxVersion newest version that the sender speaks
 * @param length of the body
 */
record Preamble(int code, int minVersion, int maxVersion, int length) {
    static final int HELLO = 1;
    static final int REJECT = 2;
    static final int CRC_BYTES = 4;

    private static final byte[] MAGIC = "PAREX\r\n\u001a".getBytes(StandardCharsets.US_ASCII);
    private static final int KIND = MAGIC.length;
    private static final int MIN = KIND + 1;
    private static final int MAX = MIN + 1;
    private static final int RESERVED = MAX + 1;
    private static final int LENGTH = RESERVED + 1;

    /** Length of the whole message. */
    int messageBytes() {
        return WireLimits.PREAMBLE_BYTES + length + CRC_BYTES;
    }

    /** Whether the sender also speaks a version that this side does not know. */
    boolean isOfLaterVersion() {
        return maxVersion > Handshake.MAX_VERSION;
    }

    void write(MemorySegment to, long at) {
        MemorySegment.copy(MemorySegment.ofArray(MAGIC), 0, to, at, MAGIC.length);
        Wire.putU8(to, at + KIND, code);
        Wire.putU8(to, at + MIN, minVersion);
        Wire.putU8(to, at + MAX, maxVersion);
        Wire.putU8(to, at + RESERVED, 0);
        Wire.putI32(to, at + LENGTH, length);
    }

    /** Whether {@code size} bytes may be the beginning of a preamble. */
    static boolean mayBegin(MemorySegment bytes, int size) {
        int compared = Math.min(size, MAGIC.length);
        return MemorySegment.mismatch(bytes, 0, compared, MemorySegment.ofArray(MAGIC), 0, compared) < 0;
    }

    /** Reads a preamble, whose magic has been compared, and checks what must be known before the body is waited for. */
    static Preamble read(MemorySegment from) {
        Preamble preamble =
                new Preamble(Wire.u8(from, KIND), Wire.u8(from, MIN), Wire.u8(from, MAX), Wire.i32(from, LENGTH));
        preamble.requireVersion();
        if (preamble.code != HELLO && preamble.code != REJECT) {
            throw wrong("kind " + preamble.code + " is neither 1 (HELLO) nor 2 (REJECT)");
        }
        if (Wire.u8(from, RESERVED) != 0) {
            throw wrong("byte " + RESERVED + " is " + Wire.u8(from, RESERVED) + ", must be 0");
        }
        if (preamble.length < 0 || preamble.length > WireLimits.HANDSHAKE_BODY_BYTES) {
            throw wrong("length " + Integer.toUnsignedString(preamble.length) + " is more than "
                    + WireLimits.HANDSHAKE_BODY_BYTES);
        }
        return preamble;
    }

    /** A rejection is the same in all versions, as it is what tells that there is none in common. */
    private void requireVersion() {
        if (minVersion > maxVersion) {
            throw wrong("versions " + minVersion + " to " + maxVersion);
        }
        if (code != REJECT && (minVersion > Handshake.MAX_VERSION || maxVersion < Handshake.MIN_VERSION)) {
            throw new WireException(
                    Kind.VERSION,
                    "no version in common: the peer speaks " + minVersion + " to " + maxVersion + ", this side "
                            + Handshake.MIN_VERSION + " to " + Handshake.MAX_VERSION);
        }
    }

    private static WireException wrong(String what) {
        return new WireException(Kind.DAMAGED, "handshake: " + what);
    }
}

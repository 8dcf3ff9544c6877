package io.parex.protocol.wire;

import io.parex.protocol.wire.WireException.Kind;
import java.lang.foreign.MemorySegment;

/**
 * The 32 bytes before every frame.
 *
 * <pre>
 *    0      1      2      3      4      5      6      7
 * +------+------+-------------+---------------------------+
 * | type | flags|    start    |           length          |  0   flags: 0000 0VAP
 * +------+------+-------------+---------------------------+           P  payload checksum
 * |                         number                        |  8        A  acknowledge now
 * +-------------------------------------------------------+           V  void
 * |                        ackFrame                       | 16
 * +---------------------------+---------------------------+
 * |          ackBytes         |   CRC32C of 0..27 + body  | 24
 * +---------------------------+---------------------------+
 * </pre>
 */
final class HeaderCodec {
    private static final int TYPE = 0;
    private static final int FLAGS = TYPE + 1;
    private static final int START = FLAGS + 1;
    private static final int LENGTH = START + 2;
    private static final int NUMBER = LENGTH + 4;
    private static final int ACK_FRAME = NUMBER + 8;
    private static final int ACK_BYTES = ACK_FRAME + 8;
    private static final int CRC = ACK_BYTES + 4;

    private HeaderCodec() {}

    /** Writes a header before its body, which is there already and is covered by the checksum. */
    static void encode(Header header, MemorySegment to, long at) {
        HeaderRules.requireLengths(header, Kind.UNSENDABLE);
        HeaderRules.requireValues(header, Kind.UNSENDABLE);
        Wire.putU8(to, at + TYPE, header.code());
        Wire.putU8(to, at + FLAGS, header.flags());
        Wire.putU16(to, at + START, header.start());
        Wire.putI32(to, at + LENGTH, header.length());
        Wire.putI64(to, at + NUMBER, header.number());
        Wire.putI64(to, at + ACK_FRAME, header.ackFrame());
        Wire.putI32(to, at + ACK_BYTES, header.ackBytes());
        Wire.putI32(to, at + CRC, checksum(to, at, header.bodyBytes()));
    }

    /** Reads a header and checks what must be known before its body is waited for. Nothing of it is proved yet. */
    static Header peek(MemorySegment from, long at) {
        Header header = new Header(
                Wire.u8(from, at + TYPE),
                Wire.u8(from, at + FLAGS),
                Wire.u16(from, at + START),
                Wire.i32(from, at + LENGTH),
                Wire.i64(from, at + NUMBER),
                Wire.i64(from, at + ACK_FRAME),
                Wire.i32(from, at + ACK_BYTES));
        HeaderRules.requireLengths(header, Kind.DAMAGED);
        return header;
    }

    /** Proves a header together with its body, which follows it, and checks its other fields. */
    static void verify(Header header, MemorySegment from, long at) {
        int sent = Wire.i32(from, at + CRC);
        int found = checksum(from, at, header.bodyBytes());
        if (sent != found) {
            throw new WireException(
                    Kind.DAMAGED,
                    header + ": CRC32C of header and body is " + Wire.hex(found) + ", the frame says "
                            + Wire.hex(sent));
        }
        HeaderRules.requireValues(header, Kind.MALFORMED);
    }

    private static int checksum(MemorySegment frame, long at, int bodyBytes) {
        return Checksum.of(frame, at, CRC, WireLimits.HEADER_BYTES, bodyBytes);
    }
}

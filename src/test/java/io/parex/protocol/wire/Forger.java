package io.parex.protocol.wire;

import java.lang.foreign.MemorySegment;

/** Changes frames so that they are whole and lie, to see whether anybody notices. */
public final class Forger {
    private static final int NUMBER = 8;
    private static final int ACK_FRAME = 16;
    private static final int ACK_BYTES = 24;
    private static final int RESUME_BYTES = WireLimits.HEADER_BYTES + 8;

    private Forger() {}

    /** The header of a frame, which begins the bytes. */
    public static Header header(byte[] frame) {
        return HeaderCodec.peek(MemorySegment.ofArray(frame), 0);
    }

    /** The same frame with another number. */
    public static byte[] numbered(byte[] frame, long number) {
        Wire.putI64(MemorySegment.ofArray(frame), NUMBER, number);
        return sealed(frame);
    }

    /** The same frame with another acknowledgement. */
    public static byte[] acknowledging(byte[] frame, long frames, int bytes) {
        Wire.putI64(MemorySegment.ofArray(frame), ACK_FRAME, frames);
        Wire.putI32(MemorySegment.ofArray(frame), ACK_BYTES, bytes);
        return sealed(frame);
    }

    /** A RESUME that goes on {@code bytes} further on. */
    public static byte[] resumingLater(byte[] frame, int bytes) {
        MemorySegment memory = MemorySegment.ofArray(frame);
        Wire.putI32(memory, RESUME_BYTES, Wire.i32(memory, RESUME_BYTES) + bytes);
        return sealed(frame);
    }

    private static byte[] sealed(byte[] frame) {
        return Bytes.sealed(frame, header(frame).bodyBytes());
    }
}

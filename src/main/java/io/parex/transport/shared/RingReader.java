package io.parex.transport.shared;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * This side's end of a ring that the other process writes. A record is a length, 8 bytes, and so many bytes, padded to
 * a multiple of 8; it goes on at the ring's begin where it meets its end. One thread at a time.
 */
public final class RingReader {
    /** Of the length before each record; records begin at multiples of it. */
    static final int HEAD_BYTES = 8;

    private final MemorySegment data;
    private final Cursor read;
    private final Cursor written;
    private long position;

    RingReader(MemorySegment data, Cursor read, Cursor written) {
        this.data = data;
        this.read = read;
        this.written = written;
    }

    /** Bytes of a record with its length and its padding. */
    static long bytesOf(long length) {
        return HEAD_BYTES + Math.ceilDiv(length, HEAD_BYTES) * HEAD_BYTES;
    }

    /** Whether there is nothing to read. */
    public boolean isEmpty() {
        return written.get() == position;
    }

    /**
     * The next record, a copy of its own; null if there is none. Its room is the writer's again.
     *
     * @throws ParexException of kind {@code protocol} if the other process has written what is no record; the ring is
     *     of no use then
     */
    public byte[] next() {
        long available = written.get() - position;
        if (available == 0) {
            return null;
        }
        if (available < 0 || available > data.byteSize() || available % HEAD_BYTES != 0) {
            throw broken("the ring's cursor is " + available + " bytes ahead of " + data.byteSize());
        }
        long length = data.get(ValueLayout.JAVA_LONG, position % data.byteSize());
        if (length < 0 || length > available || bytesOf(length) > available) {
            throw broken("a record of " + length + " bytes in a ring that holds " + available);
        }
        byte[] record = new byte[(int) length];
        MemorySegment target = MemorySegment.ofArray(record);
        long from = (position + HEAD_BYTES) % data.byteSize();
        long first = Math.min(length, data.byteSize() - from);
        MemorySegment.copy(data, from, target, 0, first);
        MemorySegment.copy(data, 0, target, first, length - first);
        position += bytesOf(length);
        read.set(position);
        return record;
    }

    private static ParexException broken(String what) {
        return new ParexException(ErrorKind.PROTOCOL, "the client has broken its submission ring: " + what);
    }
}

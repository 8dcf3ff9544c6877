package io.parex.transport.shared;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** This side's end of a ring that the other process reads: see {@link RingReader}. One thread at a time. */
public final class RingWriter {
    private final MemorySegment data;
    private final Cursor read;
    private final Cursor written;
    private long position;

    RingWriter(MemorySegment data, Cursor read, Cursor written) {
        this.data = data;
        this.read = read;
        this.written = written;
    }

    /**
     * Whether a record of {@code length} bytes finds room now.
     *
     * @throws ParexException of kind {@code protocol} if the other process has written what is no position
     */
    public boolean takes(long length) {
        long used = position - read.get();
        if (used < 0 || used > data.byteSize()) {
            throw new ParexException(
                    ErrorKind.PROTOCOL,
                    "the client has broken its completion ring: it has read " + -used
                            + " bytes more than were written");
        }
        return RingReader.bytesOf(length) <= data.byteSize() - used;
    }

    /** Writes a record, for which there must be room. */
    void write(byte[] record) {
        long at = position % data.byteSize();
        data.set(ValueLayout.JAVA_LONG, at, record.length);
        MemorySegment source = MemorySegment.ofArray(record);
        long from = (at + RingReader.HEAD_BYTES) % data.byteSize();
        long first = Math.min(record.length, data.byteSize() - from);
        MemorySegment.copy(source, 0, data, from, first);
        MemorySegment.copy(source, first, data, 0, record.length - first);
        position += RingReader.bytesOf(record.length);
        written.set(position);
    }
}

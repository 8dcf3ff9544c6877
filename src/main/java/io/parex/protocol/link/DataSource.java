package io.parex.protocol.link;

import io.parex.protocol.Frame;
import io.parex.protocol.Payload;
import java.lang.foreign.MemorySegment;

/** A piece of a tensor that is cut into frames; its copy is released when the last of them needs it no more. */
final class DataSource {
    private final long transfer;
    private final Payload payload;
    private final boolean last;
    private MemorySegment rest;
    private long offset;
    private int open;
    private boolean released;

    DataSource(Frame.Data data) {
        transfer = data.transfer();
        payload = data.payload();
        last = data.last();
        rest = payload.segment();
        offset = data.offset();
    }

    long transfer() {
        return transfer;
    }

    /** Whether it is the end of its transfer. */
    boolean isLast() {
        return last;
    }

    boolean isLent() {
        return payload.isLent();
    }

    /** Offset in the transfer of what is not cut yet. */
    long offset() {
        return offset;
    }

    boolean isCutUp() {
        return rest.byteSize() == 0;
    }

    /** Takes the next at most {@code limit} bytes; the frame that they become calls {@link #settled} once. */
    MemorySegment cut(int limit) {
        MemorySegment cut = rest.asSlice(0, Math.min(limit, rest.byteSize()));
        rest = rest.asSlice(cut.byteSize());
        offset += cut.byteSize();
        open++;
        return cut;
    }

    /** A frame of it is neither needed nor referred to any more. */
    void settled() {
        open--;
        releaseIfDone();
    }

    /** What is not cut yet is not sent. */
    void dropRest() {
        rest = rest.asSlice(rest.byteSize());
        releaseIfDone();
    }

    private void releaseIfDone() {
        if (open == 0 && isCutUp() && !released) {
            released = true;
            payload.release();
        }
    }
}

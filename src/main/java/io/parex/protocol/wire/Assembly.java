package io.parex.protocol.wire;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Makes the first n bytes of a frame one piece: in the segment that is fed if they are all in it, else collected.
 * Native memory, so that code which works on payload sees one kind of segments; the collector frees it.
 */
final class Assembly {
    private static final int LEAST_CAPACITY = 256;
    private static final int MOST_CAPACITY =
            FrameEncoder.DATA_HEAD_BYTES + WireLimits.PAYLOAD_BYTES + WireLimits.PAYLOAD_CRC_BYTES;

    private MemorySegment buffer = MemorySegment.NULL;
    private int collected;
    private MemorySegment part = MemorySegment.NULL;
    private long at;

    /** The segment to read on from. */
    void feed(MemorySegment segment) {
        part = segment;
        at = 0;
    }

    /** Forgets the segment, of which nothing is left, or nothing that matters. */
    void release() {
        feed(MemorySegment.NULL);
    }

    /** The next {@code size} bytes from the start of the frame; null if they have not all arrived. */
    MemorySegment first(int size) {
        if (collected == 0 && left() >= size) {
            return part.asSlice(at, size);
        }
        int more = (int) Math.min(size - collected, left());
        if (more > 0) {
            reserve(size);
            MemorySegment.copy(part, at, buffer, collected, more);
            collected += more;
            at += more;
        }
        return collected >= size ? buffer.asSlice(0, size) : null;
    }

    /** The first {@code size} bytes, which {@link #first} gave, are done with. */
    void consume(int size) {
        if (collected == 0) {
            at += size;
        } else {
            collected = 0;
        }
    }

    /** Bytes of the segment fed that have not been used. */
    long left() {
        return part.byteSize() - at;
    }

    /** The next {@code size} bytes of the segment fed. */
    MemorySegment take(long size) {
        MemorySegment taken = part.asSlice(at, size);
        at += size;
        return taken;
    }

    private void reserve(int size) {
        if (size <= buffer.byteSize()) {
            return;
        }
        int capacity = Math.clamp(Integer.highestOneBit(size - 1) << 1, LEAST_CAPACITY, MOST_CAPACITY);
        MemorySegment larger = Arena.ofAuto().allocate(capacity);
        MemorySegment.copy(buffer, 0, larger, 0, collected);
        buffer = larger;
    }
}

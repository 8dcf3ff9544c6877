package io.parex.world;

import java.lang.foreign.MemorySegment;

/** Bytes that are contiguous by position but perhaps not in memory. */
interface ByteSpace {

    /** The longest contiguous memory at byte {@code position}, at most {@code limit} bytes. */
    MemorySegment at(long position, long limit);
}

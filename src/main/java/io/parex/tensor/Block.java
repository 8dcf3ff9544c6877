package io.parex.tensor;

import java.lang.foreign.MemorySegment;

/**
 * A piece of a slab, the unit that is lent. Immutable.
 *
 * @param slab what it is a piece of
 * @param segment its memory
 */
record Block(Slab slab, MemorySegment segment) {

    long byteSize() {
        return segment.byteSize();
    }
}

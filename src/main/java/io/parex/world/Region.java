package io.parex.world;

import io.parex.tensor.Operand;
import java.lang.foreign.MemorySegment;

/**
 * A slice of a schedule's buffer in memory.
 *
 * @param space the buffer
 * @param base first byte of the slice in the buffer
 * @param width bytes of an element
 * @param partial whether elements have the accumulator's type
 */
record Region(ByteSpace space, long base, int width, boolean partial) {

    /** The elements from {@code from}, at most {@code limit}, that are contiguous in memory. */
    MemorySegment at(long from, long limit) {
        return space.at(base + from * width, limit * width);
    }

    /** How many of the elements from {@code from}, at most {@code limit}, are contiguous in memory. */
    long contiguous(long from, long limit) {
        return at(from, limit).byteSize() / width;
    }

    /** The {@code count} elements from {@code from}, which must be contiguous, as an operand of a reduction. */
    Operand operand(long from, long count) {
        return new Operand(at(from, count), 0, partial);
    }
}

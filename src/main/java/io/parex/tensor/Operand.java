package io.parex.tensor;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Where a run of elements lies that a {@link Reduction} reads or writes; how many elements, the call says. Immutable.
 *
 * @param segment the memory, native, mapped or heap, accessible from the calling thread
 * @param offset of the first element in bytes; need not be aligned
 * @param partial whether the elements are partial results, in {@link Reduction#partialType()}, or values in the
 *     tensor's type
 */
public record Operand(MemorySegment segment, long offset, boolean partial) {

    public Operand {
        Objects.requireNonNull(segment);
    }
}

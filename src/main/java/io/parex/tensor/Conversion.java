package io.parex.tensor;

import java.lang.foreign.MemorySegment;

/**
 * Turns a run of elements into another type, or divides it: {@code target[i] = f(source[i])} for {@code i} in
 * {@code [0, count)}. Little endian, unaligned; the two runs must not overlap. What is said of heap segments at
 * {@link Kernel} holds here too. Stateless; any thread.
 */
@FunctionalInterface
interface Conversion {

    /**
     * Runs the conversion. Offsets are in bytes, the count in elements.
     *
     * @throws IndexOutOfBoundsException if a run is not inside its segment; the target is then undefined
     */
    void apply(MemorySegment source, long sourceOffset, MemorySegment target, long targetOffset, long count);
}

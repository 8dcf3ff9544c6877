package io.parex.tensor;

import java.lang.foreign.MemorySegment;

/**
 * Combines two runs of elements of one type: {@code target[i] = left[i] (+) right[i]} for {@code i} in {@code [0,
 * count)}. Little endian, unaligned. The target may be exactly the same memory as an operand, but must not overlap one
 * partly.
 *
 * <p>Stateless; any thread. Vector kernels must be given native or mapped segments only: one heap segment makes the
 * JIT's type profile of the JDK's shared access code polymorphic for the whole process, which costs a factor of six.
 */
@FunctionalInterface
interface Kernel {

    /**
     * Runs the kernel. Offsets are in bytes, the count in elements.
     *
     * @throws IndexOutOfBoundsException if a run is not inside its segment; the target is then undefined
     */
    void apply(
            MemorySegment left,
            long leftOffset,
            MemorySegment right,
            long rightOffset,
            MemorySegment target,
            long targetOffset,
            long count);
}

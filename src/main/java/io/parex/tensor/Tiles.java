package io.parex.tensor;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Small native working memory of a thread, for operands that a kernel cannot take where they lie: those to be widened
 * or finished, and those on the heap. Small enough that all of it stays in the first-level cache.
 *
 * @param left tile of the left operand, in the accumulator's type
 * @param right tile of the right operand, in the accumulator's type
 * @param result tile of the result, in the accumulator's type
 * @param raw tile in the tensor's type, on its way from or to the heap
 */
record Tiles(MemorySegment left, MemorySegment right, MemorySegment result, MemorySegment raw) {

    /** Size of each tile in bytes. */
    static final long BYTES = 4096;

    private static final long ALIGNMENT = 64;
    private static final ThreadLocal<Tiles> OF_THREAD = ThreadLocal.withInitial(Tiles::allocate);

    /** The tiles of the calling thread; to be used and forgotten within one call. */
    static Tiles ofThread() {
        return OF_THREAD.get();
    }

    private static Tiles allocate() {
        // Freed by the collector some time after the thread has ended: no thread tells us when it ends.
        Arena arena = Arena.ofAuto();
        return new Tiles(
                arena.allocate(BYTES, ALIGNMENT),
                arena.allocate(BYTES, ALIGNMENT),
                arena.allocate(BYTES, ALIGNMENT),
                arena.allocate(BYTES, ALIGNMENT));
    }
}

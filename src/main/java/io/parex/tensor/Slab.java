package io.parex.tensor;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory got from the system in one piece and given back in one piece, cut into blocks of one size. The arena is a
 * shared one, since any thread may use and release a block; closing it interrupts all threads of the JVM for some 100
 * microseconds, so it is done for whole slabs only, and only when memory is short.
 */
final class Slab {
    private static final long ALIGNMENT = 64;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final long blockBytes;

    /** How many blocks a search for idle slabs has found so far; for that search alone, under its lock. */
    int idleBlocks;

    /** Allocates; the memory is zeroed by the arena, this once. */
    Slab(long blockBytes, int blocks) {
        this.blockBytes = blockBytes;
        this.memory = arena.allocate(blockBytes * blocks, ALIGNMENT);
    }

    long byteSize() {
        return memory.byteSize();
    }

    int blocks() {
        return (int) (memory.byteSize() / blockBytes);
    }

    Block block(int index) {
        return new Block(this, memory.asSlice(index * blockBytes, blockBytes));
    }

    void free() {
        arena.close();
    }
}

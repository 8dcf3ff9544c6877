package io.parex.tensor;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Memory lent by a {@link BufferPool}. Whoever holds it releases it exactly once, on any thread; the memory must not be
 * used by anyone from then on, since the pool lends it again at once (slices taken before stay accessible, and are then
 * another's).
 */
public final class PooledBuffer implements AutoCloseable {
    private final BufferPool pool;
    private final Block block;
    private final MemorySegment segment;
    private final AtomicBoolean released = new AtomicBoolean();

    PooledBuffer(BufferPool pool, Block block, long bytes) {
        this.pool = pool;
        this.block = block;
        this.segment = block.segment().asSlice(0, bytes);
    }

    /**
     * The memory, native, of exactly the size asked for, aligned to 64 bytes, with arbitrary content.
     *
     * @throws IllegalStateException if the buffer was released
     */
    public MemorySegment segment() {
        if (released.get()) {
            throw new IllegalStateException("a buffer of " + byteSize() + " bytes is used after its release");
        }
        return segment;
    }

    /** The size asked for in bytes. */
    public long byteSize() {
        return segment.byteSize();
    }

    /**
     * Gives the memory back.
     *
     * @throws IllegalStateException if it was given back before; the pool is not affected
     */
    public void release() {
        if (!released.compareAndSet(false, true)) {
            throw new IllegalStateException("a buffer of " + byteSize() + " bytes is released twice");
        }
        pool.giveBack(block);
    }

    /** The same as {@link #release()}. */
    @Override
    public void close() {
        release();
    }
}

package io.parex.tensor;

import io.parex.ErrorKind;
import io.parex.ParexException;

/**
 * Lends off-heap memory under a limit, and keeps what comes back for the next who asks. Buffers up to 1 MiB come in
 * powers of two from 256 bytes; larger ones in whole pages.
 *
 * <p>Keeping is the point: the first touch of fresh memory costs a page fault for each 4 KiB (milliseconds a MiB on a
 * virtual machine), and giving memory back interrupts every thread. So nothing is given back until the limit would be
 * passed otherwise, the owner calls {@link #trim()}, or the pool is closed. Nothing is zeroed when it is lent again.
 *
 * <p>Any thread. Acquire and release are lock-free as long as a block of the size is idle; getting memory from the
 * system takes a lock, but touches the memory outside it. The limit given here is the only bound: the JVM does not
 * count this memory against {@code -XX:MaxDirectMemorySize}.
 */
public final class BufferPool implements AutoCloseable {
    private final PoolMemory memory;
    private final String limitName;

    /**
     * An empty pool.
     *
     * @param limitBytes the most it ever holds, lent and kept together, at least 0
     */
    public BufferPool(long limitBytes) {
        this(limitBytes, null);
    }

    /**
     * An empty pool whose limit has a name, which refusals mention.
     *
     * @param limitBytes the most it ever holds, lent and kept together, at least 0
     * @param limitName what sets the limit, or null
     */
    public BufferPool(long limitBytes, String limitName) {
        if (limitBytes < 0) {
            throw ParexException.argument("a buffer pool with a limit of " + limitBytes + " bytes");
        }
        this.memory = new PoolMemory(limitBytes);
        this.limitName = limitName;
    }

    /**
     * A buffer of exactly {@code bytes} bytes with arbitrary content. May block for as long as the system takes to
     * provide the memory.
     *
     * @param bytes 0 or more
     * @throws ParexException of kind {@code OVERLOADED} if the limit does not allow it, {@code UNAVAILABLE} if the pool
     *     is closed, {@code ARGUMENT} if {@code bytes} is negative; nothing is reserved then
     */
    public PooledBuffer acquire(long bytes) {
        if (bytes < 0) {
            throw ParexException.argument("a buffer of " + bytes + " bytes");
        }
        Block block = memory.take(bytes);
        if (block == null) {
            throw refusal(bytes);
        }
        return new PooledBuffer(this, block, bytes);
    }

    void giveBack(Block block) {
        memory.giveBack(block);
    }

    /**
     * What is lent now, in bytes, each buffer with the size of its block; approximate while others acquire and release.
     */
    public long usedBytes() {
        return memory.usedBytes();
    }

    /** What is lent or kept now, in bytes; never more than the limit. */
    public long heldBytes() {
        return memory.heldBytes();
    }

    /** The limit given to the constructor, in bytes. */
    public long limitBytes() {
        return memory.limitBytes();
    }

    /**
     * Gives back to the system what is not lent, as far as it can be; costs some 100 microseconds for each 64 KiB or
     * more.
     */
    public void trim() {
        memory.trim();
    }

    /**
     * Frees all memory, that of buffers still lent too: using it throws IllegalStateException from then on, releasing
     * such a buffer is fine. A second close does nothing.
     *
     * @throws IllegalStateException if a system call is at work on one of the buffers; all others are freed
     */
    @Override
    public void close() {
        memory.close();
    }

    private ParexException refusal(long bytes) {
        return new ParexException(
                ErrorKind.OVERLOADED,
                "a buffer of " + bytes + " bytes is refused: the pool's limit is " + limitBytes() + " bytes"
                        + (limitName == null ? "" : " (" + limitName + ")") + ", " + usedBytes() + " are used and "
                        + heldBytes() + " held; nothing was reserved");
    }
}

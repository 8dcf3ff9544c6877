package io.parex.tensor;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The memory behind a {@link BufferPool}: idle blocks by size, the slabs they are pieces of, and the limit.
 *
 * <p>Any thread. The free lists and the count of used bytes are lock-free; everything else is guarded by this object's
 * monitor, which is never held while fresh memory is touched.
 */
final class PoolMemory {
    /** A slab of small blocks: large enough to be rare, small enough that one lent block does not pin much. */
    private static final long SLAB_BYTES = 64 << 10;
    /** Under a small limit a slab is at most this share of it, for the same reason. */
    private static final long SLABS_PER_LIMIT = 256;
    /** Large blocks are multiples of this, so that almost equal sizes use each other's. */
    private static final long PAGE_BYTES = 4096;

    private final long limitBytes;
    private final LongAdder usedBytes = new LongAdder();
    private final FreeList[] idle = new FreeList[SizeClass.COUNT];

    private final Set<Slab> slabs = new HashSet<>();
    private final TreeMap<Long, Deque<Block>> idleLarge = new TreeMap<>();
    private volatile long heldBytes;
    private volatile boolean closed;

    PoolMemory(long limitBytes) {
        this.limitBytes = limitBytes;
        for (int i = 0; i < idle.length; i++) {
            idle[i] = new FreeList();
        }
    }

    long limitBytes() {
        return limitBytes;
    }

    long heldBytes() {
        return heldBytes;
    }

    /** What is lent. Under races it may be behind, but then it shows too little, never too much. */
    long usedBytes() {
        return usedBytes.sum();
    }

    /** A block of at least {@code bytes}; null if the limit does not allow it. */
    Block take(long bytes) {
        Block block = bytes <= SizeClass.LARGEST_BYTES ? takePooled(SizeClass.of(bytes)) : takeLarge(bytes);
        requireOpen();
        if (block != null) {
            usedBytes.add(block.byteSize());
        }
        return block;
    }

    void giveBack(Block block) {
        usedBytes.add(-block.byteSize());
        if (block.byteSize() <= SizeClass.LARGEST_BYTES) {
            idle[SizeClass.of(block.byteSize())].push(block);
            return;
        }
        synchronized (this) {
            if (!closed) {
                Deque<Block> alike = idleLarge.computeIfAbsent(block.byteSize(), size -> new ArrayDeque<>());
                alike.push(block);
            }
        }
    }

    /** Frees all that is idle. */
    synchronized void trim() {
        freeIdle(Long.MAX_VALUE);
    }

    /** Frees everything. */
    synchronized void close() {
        closed = true;
        idleLarge.clear();
        heldBytes = 0;
        IllegalStateException busy = null;
        for (Slab slab : slabs) {
            try {
                slab.free();
            } catch (IllegalStateException e) {
                // A system call is at work on it. The others are freed all the same.
                busy = e;
            }
        }
        slabs.clear();
        if (busy != null) {
            throw busy;
        }
    }

    private Block takePooled(int sizeClass) {
        Block block = idle[sizeClass].pop();
        return block != null ? block : takeFresh(sizeClass);
    }

    private Block takeFresh(int sizeClass) {
        long blockBytes = SizeClass.bytes(sizeClass);
        int blocks;
        synchronized (this) {
            requireOpen();
            Block block = idle[sizeClass].pop();
            if (block != null) {
                return block;
            }
            if (!makeRoom(blockBytes)) {
                // Idle blocks of larger sizes may be left, in slabs that are partly lent: wasteful, but no refusal.
                return popFrom(sizeClass);
            }
            long slabBytes = Math.min(Math.min(SLAB_BYTES, limitBytes / SLABS_PER_LIMIT), limitBytes - heldBytes);
            blocks = (int) Math.max(1, slabBytes / blockBytes);
            heldBytes += blocks * blockBytes;
        }
        Slab slab = allocate(blockBytes, blocks);
        for (int i = 1; i < blocks; i++) {
            idle[sizeClass].push(slab.block(i));
        }
        return slab.block(0);
    }

    private Block popFrom(int sizeClass) {
        Block block = null;
        for (int i = sizeClass; i < idle.length && block == null; i++) {
            block = idle[i].pop();
        }
        return block;
    }

    private Block takeLarge(long bytes) {
        if (bytes > limitBytes) {
            return null;
        }
        long blockBytes = Math.min(limitBytes, (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES);
        synchronized (this) {
            requireOpen();
            // A kept block that is a quarter too large is better than a fresh one: no page faults.
            Map.Entry<Long, Deque<Block>> fit = idleLarge.ceilingEntry(blockBytes);
            if (fit != null && fit.getKey() <= blockBytes + blockBytes / 4) {
                return pollLarge(fit);
            }
            if (!makeRoom(blockBytes)) {
                return null;
            }
            heldBytes += blockBytes;
        }
        return allocate(blockBytes, 1).block(0);
    }

    private Block pollLarge(Map.Entry<Long, Deque<Block>> entry) {
        Block block = entry.getValue().pop();
        if (entry.getValue().isEmpty()) {
            idleLarge.remove(entry.getKey());
        }
        return block;
    }

    /** Gets memory for which {@link #heldBytes} was raised already; takes that back on failure. */
    private Slab allocate(long blockBytes, int blocks) {
        Slab slab;
        try {
            slab = new Slab(blockBytes, blocks);
        } catch (OutOfMemoryError e) {
            unreserve(blockBytes * blocks);
            String what = "a buffer of " + blockBytes + " bytes is refused: the system has no memory, the pool holds ";
            throw new ParexException(ErrorKind.OVERLOADED, what + heldBytes + " bytes; nothing was reserved", e);
        }
        synchronized (this) {
            if (!closed) {
                slabs.add(slab);
                return slab;
            }
        }
        slab.free();
        throw closedError();
    }

    private synchronized void unreserve(long bytes) {
        if (!closed) {
            heldBytes -= bytes;
        }
    }

    /** Makes {@code bytes} more fit under the limit by freeing what is idle; false if they still do not. */
    private boolean makeRoom(long bytes) {
        // Where too much is lent a search is in vain, and an overloaded pool must refuse quickly.
        if (bytes <= limitBytes - usedBytes.sum()) {
            freeIdle(bytes);
        }
        return fits(bytes);
    }

    private boolean fits(long bytes) {
        return bytes <= limitBytes - heldBytes;
    }

    /** Frees idle memory, large blocks first, until {@code bytes} more fit under the limit. */
    private void freeIdle(long bytes) {
        while (!fits(bytes) && !idleLarge.isEmpty()) {
            free(pollLarge(idleLarge.lastEntry()).slab());
        }
        for (int i = idle.length - 1; i >= 0 && !fits(bytes); i--) {
            freeIdleSlabs(idle[i], bytes);
        }
    }

    private void freeIdleSlabs(FreeList blocks, long bytes) {
        List<Block> found = new ArrayList<>();
        for (Block block = blocks.pop(); block != null; block = blocks.pop()) {
            block.slab().idleBlocks++;
            found.add(block);
        }
        for (Block block : found) {
            Slab slab = block.slab();
            if (slabs.contains(slab) && slab.idleBlocks == slab.blocks() && !fits(bytes)) {
                free(slab);
            }
            if (slabs.contains(slab)) {
                blocks.push(block);
            }
        }
        found.forEach(block -> block.slab().idleBlocks = 0);
    }

    private void free(Slab slab) {
        slabs.remove(slab);
        heldBytes -= slab.byteSize();
        slab.free();
    }

    private void requireOpen() {
        if (closed) {
            throw closedError();
        }
    }

    private static ParexException closedError() {
        return new ParexException(ErrorKind.UNAVAILABLE, "the buffer pool is closed; nothing was reserved");
    }
}

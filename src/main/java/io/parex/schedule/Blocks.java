package io.parex.schedule;

import java.util.Arrays;

/**
 * A tensor cut into blocks that lie one after the other, mostly one per rank: all as equal as can be, or of given
 * lengths. Immutable; two that cut alike are equal.
 */
public final class Blocks {
    private final long count;
    private final int size;

    /** Where each block ends; null where blocks are as equal as can be. */
    private final long[] ends;

    private Blocks(long count, int size, long[] ends) {
        if (count < 0 || size < 1) {
            throw new IllegalArgumentException(count + " elements in " + size + " blocks");
        }
        this.count = count;
        this.size = size;
        this.ends = ends;
    }

    /**
     * {@code count} elements in {@code size} blocks as equal as can be: the first {@code count % size} blocks are one
     * element longer, and with fewer elements than blocks the last ones are empty.
     */
    public static Blocks spread(long count, int size) {
        return new Blocks(count, size, null);
    }

    /** {@code size} blocks of {@code length} elements each. */
    public static Blocks each(long length, int size) {
        return new Blocks(Math.multiplyExact(length, size), size, null);
    }

    /** Blocks of the given lengths; any of them may be 0. */
    public static Blocks of(long... lengths) {
        long[] ends = new long[lengths.length];
        long end = 0;
        for (int block = 0; block < lengths.length; block++) {
            if (lengths[block] < 0) {
                throw new IllegalArgumentException("block " + block + " of " + lengths[block] + " elements");
            }
            end = Math.addExact(end, lengths[block]);
            ends[block] = end;
        }
        Blocks spread = new Blocks(end, lengths.length, null);
        return spread.endsAt(ends) ? spread : new Blocks(end, lengths.length, ends);
    }

    private boolean endsAt(long[] others) {
        for (int block = 0; block < size; block++) {
            if (offset(block + 1) != others[block]) {
                return false;
            }
        }
        return true;
    }

    /** Elements of all blocks. */
    public long count() {
        return count;
    }

    /** Number of blocks. */
    public int size() {
        return size;
    }

    /** First element of a block; of block {@code size()}, which is none, the end of the last one. */
    public long offset(int block) {
        if (ends == null) {
            return block * (count / size) + Math.min(block, count % size);
        }
        return block == 0 ? 0 : ends[block - 1];
    }

    /** Elements of a block. */
    public long length(int block) {
        return offset(block + 1) - offset(block);
    }

    /** Elements of the longest block. */
    public long longest() {
        long longest = length(0);
        for (int block = 1; ends != null && block < size; block++) {
            longest = Math.max(longest, length(block));
        }
        return longest;
    }

    /** Whether a block is empty. */
    public boolean hasEmpty() {
        boolean empty = ends == null && count < size;
        for (int block = 0; ends != null && block < size; block++) {
            empty |= length(block) == 0;
        }
        return empty;
    }

    /** Whether all blocks are of one length. */
    public boolean areEqual() {
        return ends == null && count % size == 0;
    }

    /** A block of a buffer that holds the whole tensor. */
    public Slice slice(Buffer buffer, int block) {
        return slice(buffer, block, block + 1);
    }

    /** Blocks {@code from} up to, but without, {@code to} of a buffer that holds the whole tensor. */
    public Slice slice(Buffer buffer, int from, int to) {
        return new Slice(buffer, offset(from), offset(to) - offset(from));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Blocks blocks
                && count == blocks.count
                && size == blocks.size
                && Arrays.equals(ends, blocks.ends);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Long.hashCode(count) + size) + Arrays.hashCode(ends);
    }

    /** Such as {@code 12 in 3} or {@code 12 in [5, 0, 7]}. */
    @Override
    public String toString() {
        if (ends == null) {
            return count + " in " + size;
        }
        long[] lengths = new long[size];
        Arrays.setAll(lengths, this::length);
        return count + " in " + Arrays.toString(lengths);
    }
}

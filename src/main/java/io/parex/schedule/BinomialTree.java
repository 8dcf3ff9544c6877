package io.parex.schedule;

import java.util.ArrayList;
import java.util.List;

/**
 * The binomial tree over ranks rotated so that the root is virtual rank 0. The parent of a virtual rank is that rank
 * without its lowest one bit; its children add one bit below that.
 *
 * @param size ranks of the tree
 * @param root rank at its top
 */
public record BinomialTree(int size, int root) {

    /** The parent of a rank, -1 for the root. */
    public int parent(int rank) {
        int virtual = virtual(rank);
        return virtual == 0 ? -1 : actual(virtual & (virtual - 1));
    }

    /** The children of a rank, the farthest first: below it the way is the longest. */
    public List<Integer> children(int rank) {
        int virtual = virtual(rank);
        int limit = virtual == 0 ? size : Integer.lowestOneBit(virtual);
        List<Integer> children = new ArrayList<>();
        for (int bit = Integer.highestOneBit(Math.max(limit - 1, 0)); bit > 0; bit >>= 1) {
            if (virtual + bit < size) {
                children.add(actual(virtual + bit));
            }
        }
        return children;
    }

    /** The ranks below and including a rank, which are the next ones from it on in the order from the root. */
    public int subtree(int rank) {
        int virtual = virtual(rank);
        return virtual == 0 ? size : Math.min(Integer.lowestOneBit(virtual), size - virtual);
    }

    private int virtual(int rank) {
        return Math.floorMod(rank - root, size);
    }

    private int actual(int virtual) {
        return (int) ((virtual + (long) root) % size);
    }
}

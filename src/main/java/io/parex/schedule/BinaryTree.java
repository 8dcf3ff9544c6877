package io.parex.schedule;

import java.util.ArrayList;
import java.util.List;

/**
 * A binary tree in rank order: all ranks below a rank on its left are lower, on its right higher, so that what a rank
 * combines is of consecutive ranks. Rank 0 is the root and has one child; odd ranks are leaves, the others have ranks
 * half as far below as their lowest one bit, as near as there are any.
 *
 * <p>On 5 ranks 4 is below 0, 2 below 4, and 1 and 3 below 2.
 *
 * @param size ranks of the tree
 */
public record BinaryTree(int size) {

    /** The parent of a rank, -1 for the root. */
    public int parent(int rank) {
        if (rank == 0) {
            return -1;
        }
        int bit = Integer.lowestOneBit(rank);
        int above = (rank ^ bit) | bit << 1;
        return above < size ? above : rank ^ bit;
    }

    /** The children of a rank, the lower first. */
    public List<Integer> children(int rank) {
        List<Integer> children = new ArrayList<>();
        int half = rank == 0 ? Integer.highestOneBit(size - 1) : Integer.lowestOneBit(rank) >> 1;
        if (rank > 0 && half > 0) {
            children.add(rank - half);
        }
        while (half > 0 && rank + half >= size) {
            half >>= 1;
        }
        if (half > 0) {
            children.add(rank + half);
        }
        return children;
    }
}

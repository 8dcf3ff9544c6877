package io.parex.schedule;

import java.util.List;

/**
 * Two binary trees of the same ranks and root, such that every other rank is a leaf in one of them, but for one where
 * their number is odd: half the tensor through each keeps all links busy both ways. The first is a {@link BinaryTree};
 * in the second, ranks other than the root change places, so that odd places have even ranks.
 *
 * <p>On 5 ranks with root 0 the first has 4 below 0, 2 below 4, 1 and 3 below 2; the second 1 below 0, 3 below 1, 4 and
 * 2 below 3.
 *
 * @param size ranks of the trees
 * @param root rank at the top of both
 */
public record TwoTrees(int size, int root) {

    /** Number of the trees. */
    public static final int COUNT = 2;

    /** The parent of a rank in tree 0 or 1, -1 for the root. */
    public int parent(int tree, int rank) {
        int parent = new BinaryTree(size).parent(place(tree, rank));
        return parent < 0 ? -1 : rank(tree, parent);
    }

    /** The children of a rank in tree 0 or 1. */
    public List<Integer> children(int tree, int rank) {
        return new BinaryTree(size)
                .children(place(tree, rank)).stream()
                        .map(place -> rank(tree, place))
                        .toList();
    }

    private int place(int tree, int rank) {
        int virtual = new Ring(size).right(rank, -root);
        if (tree == 0 || virtual == 0) {
            return virtual;
        }
        return size % 2 == 1 ? size - virtual : virtual == 1 ? size - 1 : virtual - 1;
    }

    private int rank(int tree, int place) {
        int virtual = place;
        if (tree == 1 && place > 0) {
            virtual = size % 2 == 1 ? size - place : place == size - 1 ? 1 : place + 1;
        }
        return new Ring(size).right(virtual, root);
    }
}

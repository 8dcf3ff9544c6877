package io.parex.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Who talks to whom, on rings and trees of all sizes up to 33. */
class TopologyTest {
    private static final int LARGEST = 33;

    @Test
    void shouldCloseTheRing() {
        for (int size = 1; size <= LARGEST; size++) {
            Ring ring = new Ring(size);
            for (int rank = 0; rank < size; rank++) {
                assertEquals(rank == size - 1 ? 0 : rank + 1, ring.right(rank));
                assertEquals(rank, ring.left(ring.right(rank)));
                assertEquals(rank, ring.right(rank, -size));
                assertEquals(ring.left(rank), ring.right(rank, size - 1));
            }
        }
        assertEquals(1, new Ring(Integer.MAX_VALUE).right(Integer.MAX_VALUE - 1, 2));
    }

    @Test
    void shouldBuildTheTextbookTreeOfEight() {
        BinomialTree tree = new BinomialTree(8, 0);
        assertEquals(List.of(4, 2, 1), tree.children(0));
        assertEquals(List.of(6, 5), tree.children(4));
        assertEquals(List.of(3), tree.children(2));
        assertEquals(List.of(7), tree.children(6));
        assertEquals(List.of(), tree.children(7));
        assertEquals(6, tree.parent(7));
        assertEquals(-1, tree.parent(0));
    }

    @Test
    void shouldRotateTheTreeToItsRoot() {
        BinomialTree tree = new BinomialTree(5, 3);
        assertEquals(List.of(2, 0, 4), tree.children(3));
        assertEquals(List.of(1), tree.children(0));
        assertEquals(0, tree.parent(1));
    }

    @Test
    void shouldReachEveryRankOnceFromEveryRoot() {
        int trees = 0;
        for (int size = 1; size <= LARGEST; size++) {
            for (int root = 0; root < size; root++) {
                BinomialTree tree = new BinomialTree(size, root);
                assertEquals(size, subtree(tree, root));
                trees++;
            }
        }
        assertEquals(LARGEST * (LARGEST + 1) / 2, trees);
    }

    /** Counts the ranks below and with {@code rank}; children know their parent, and the farthest comes first. */
    private static int subtree(BinomialTree tree, int rank) {
        int ranks = 1;
        int previous = Integer.MAX_VALUE;
        for (int child : tree.children(rank)) {
            int distance = Math.floorMod(child - rank, tree.size());
            assertEquals(rank, tree.parent(child));
            assertTrue(distance < previous);
            previous = distance;
            ranks += subtree(tree, child);
        }
        return ranks;
    }
}

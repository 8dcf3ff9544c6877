package io.parex.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
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

    @Test
    void shouldCutAnArcOfTheRingWhereItCloses() {
        Ring ring = new Ring(5);
        assertEquals(List.of(new Ring.Range(1, 4)), ring.ranges(1, 3));
        assertEquals(List.of(new Ring.Range(2, 5)), ring.ranges(2, 3));
        assertEquals(List.of(new Ring.Range(3, 5), new Ring.Range(0, 1)), ring.ranges(3, 3));
        assertEquals(List.of(new Ring.Range(0, 5)), ring.ranges(0, 5));
    }

    @Test
    void shouldCountTheRanksBelowEachOfABinomialTree() {
        for (int size = 1; size <= LARGEST; size++) {
            BinomialTree tree = new BinomialTree(size, size / 3);
            for (int rank = 0; rank < size; rank++) {
                int below = tree.children(rank).stream().mapToInt(tree::subtree).sum();
                assertEquals(1 + below, tree.subtree(rank));
            }
        }
    }

    @Test
    void shouldBuildTheBinaryTreeOfFive() {
        BinaryTree tree = new BinaryTree(5);
        assertEquals(List.of(4), tree.children(0));
        assertEquals(List.of(2), tree.children(4));
        assertEquals(List.of(1, 3), tree.children(2));
        assertEquals(List.of(), new BinaryTree(1).children(0));
    }

    @Test
    void shouldReachEveryRankOfABinaryTreeInRankOrderAndSoon() {
        for (int size = 1; size <= 4 * LARGEST; size++) {
            BinaryTree tree = new BinaryTree(size);
            assertEquals(size, rankOrder(tree, 0, 0));
            for (int rank = 1; rank < size; rank++) {
                assertTrue(tree.children(tree.parent(rank)).contains(rank));
                assertTrue(rank % 2 == 0 || tree.children(rank).isEmpty(), "odd ranks are leaves");
                int depth = 0;
                for (int above = rank; above > 0; above = tree.parent(above)) {
                    depth++;
                }
                assertTrue(1 << depth < 4 * size, "rank " + rank + " of " + size + " is " + depth + " deep");
            }
        }
    }

    /** Goes through the ranks below and including one, from {@code next} on, and returns what follows them. */
    private static int rankOrder(BinaryTree tree, int rank, int next) {
        int expected = next;
        for (int child : tree.children(rank)) {
            expected = child < rank ? rankOrder(tree, child, expected) : expected;
        }
        assertEquals(expected++, rank);
        for (int child : tree.children(rank)) {
            expected = child > rank ? rankOrder(tree, child, expected) : expected;
        }
        return expected;
    }

    @Test
    void shouldFoldToAPowerOfTwo() {
        for (int size = 1; size <= LARGEST; size++) {
            for (int kept = -1; kept < size; kept++) {
                Folding folding = new Folding(size, kept);
                assertEquals(1, Integer.bitCount(folding.core()));
                assertTrue(folding.core() <= size && 2 * folding.core() > size);
                int away = 0;
                for (int rank = 0; rank < size; rank++) {
                    int stays = folding.actual(folding.virtual(rank));
                    away += folding.isAway(rank) ? 1 : 0;
                    assertEquals(folding.isAway(rank) ? folding.neighbour(rank) : rank, stays);
                }
                assertEquals(size - folding.core(), away);
                assertTrue(kept < 0 || !folding.isAway(kept));
                assertEquals(Blocks.of(joined(folding)), folding.join(Blocks.each(3, size)));
            }
        }
    }

    private static long[] joined(Folding folding) {
        long[] lengths = new long[folding.core()];
        for (int virtual = 0; virtual < lengths.length; virtual++) {
            lengths[virtual] = folding.isPaired(virtual) ? 6 : 3;
        }
        return lengths;
    }

    @Test
    void shouldMakeEveryRankALeafOfOneOfTwoTrees() {
        for (int size = 2; size <= LARGEST; size++) {
            int root = size / 3;
            TwoTrees trees = new TwoTrees(size, root);
            int twice = 0;
            for (int rank = 0; rank < size; rank++) {
                int leaf = 0;
                for (int tree = 0; tree < TwoTrees.COUNT; tree++) {
                    int parent = trees.parent(tree, rank);
                    assertEquals(rank == root, parent < 0);
                    assertTrue(parent < 0 || trees.children(tree, parent).contains(rank));
                    leaf += trees.children(tree, rank).isEmpty() ? 1 : 0;
                }
                assertTrue(rank == root || leaf > 0, "rank " + rank + " of " + size + " is no leaf");
                twice += leaf == 2 ? 1 : 0;
            }
            assertEquals(size % 2 == 0 ? 1 : 0, twice);
        }
    }

    /**
     * The conditions of the paper: from phase to phase nothing is missed, nothing comes twice, all is there in time.
     */
    @Test
    void shouldPassEveryBlockToEveryRankOfACirculantGraph() {
        for (int size = 2; size <= 4 * LARGEST; size++) {
            CirculantGraph graph = new CirculantGraph(size);
            int phase = graph.rounds();
            assertTrue(1 << phase >= size && 1 << phase - 1 < size);
            for (int rank = 1; rank < size; rank++) {
                int[] blocks = graph.blocks(rank);
                int base = Arrays.stream(blocks).max().orElseThrow();
                assertEquals(
                        0,
                        Arrays.stream(blocks)
                                .filter(block -> block >= 0 && block != base)
                                .count());
                assertEquals(
                        phase,
                        Arrays.stream(blocks)
                                .map(block -> Math.floorMod(block, phase))
                                .distinct()
                                .count());
                for (int round = 0; round < phase; round++) {
                    int from = new Ring(size).right(rank, -graph.skip(round));
                    assertTrue(
                            from == 0 || has(graph.blocks(from), round, blocks[round]), "rank " + rank + " of " + size);
                }
            }
        }
    }

    /** Whether a block came earlier in the phase or in one before. */
    private static boolean has(int[] blocks, int round, int wanted) {
        for (int earlier = 0; earlier < blocks.length; earlier++) {
            int latest = earlier < round ? blocks[earlier] : blocks[earlier] - blocks.length;
            if (wanted <= latest && (latest - wanted) % blocks.length == 0) {
                return true;
            }
        }
        return false;
    }
}

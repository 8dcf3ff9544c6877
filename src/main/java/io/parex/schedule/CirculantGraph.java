package io.parex.schedule;

/**
 * Who passes on which block to whom when a root broadcasts any number of blocks and each rank sends and receives one a
 * round: in round k of each phase, to the rank {@link #skip}(k) to the right. The last skip is half the size, rounded
 * up, and each is half the next one, rounded up. A rank gets the first block that reaches it, its base block, in the
 * round of the greatest skip of the shortest way from the root; which of the earlier blocks it gets in which other
 * round follows from the ways that lead to it in time.
 *
 * <p>Source: J. L. Träff, "Optimal broadcast schedules in logarithmic time with applications to broadcast,
 * all-broadcast, reduction and all-reduction", arXiv 2407.18004, 2024.
 *
 * <p>On 5 ranks, whose skips are 1, 2 and 3, the blocks that ranks get in the rounds of a phase, negative ones being
 * those of the phases before:
 *
 * <pre>
 * round   rank 1   rank 2   rank 3   rank 4
 *   0        0       -3       -2       -1
 *   1       -1        1       -3       -2
 *   2       -2       -1        2        0
 * </pre>
 */
public final class CirculantGraph {
    private final int[] skips;

    /** The graph of {@code size} ranks, 2 or more. */
    public CirculantGraph(int size) {
        int rounds = 32 - Integer.numberOfLeadingZeros(size - 1);
        skips = new int[rounds + 1];
        skips[rounds] = size;
        for (int round = rounds - 1; round >= 0; round--) {
            skips[round] = (skips[round + 1] + 1) / 2;
        }
    }

    /** Rounds of a phase: as many as it takes until all ranks can have heard from the root. */
    public int rounds() {
        return skips.length - 1;
    }

    /** How far to the right a rank sends in a round of each phase. */
    public int skip(int round) {
        return skips[round];
    }

    /**
     * The blocks that a rank other than the root gets in the rounds of a phase. They count up by {@link #rounds} from
     * phase to phase; below 0 they are of phases before.
     *
     * @param virtual rank, from 1, counted from the root
     */
    public int[] blocks(int virtual) {
        int base = baseBlock(virtual);
        int[] lastSkips = new Search(virtual, base).lastSkips();
        int[] blocks = new int[rounds()];
        for (int round = 0; round < blocks.length; round++) {
            blocks[round] = lastSkips[round] == rounds() ? base : lastSkips[round] - rounds();
        }
        return blocks;
    }

    /** The last skip of the way from the root that takes the greatest skip possible each time. */
    private int baseBlock(int virtual) {
        int left = virtual;
        for (int round = rounds() - 1; ; round--) {
            if (skips[round] == left) {
                return round;
            }
            left -= skips[round] < left ? skips[round] : 0;
        }
    }

    /**
     * Finds for each round a way from the root, over ever smaller skips, to the rank that the block comes from or one
     * so little to its left that no later round is nearer. Its last skip stands for the block: no two rounds have the
     * same. Places count on beyond the size, for ways that go around.
     */
    private final class Search {
        private final int goal;
        private final boolean[] taken = new boolean[skips.length];
        private final int[] found = new int[rounds()];
        private int round;

        Search(int virtual, int base) {
            goal = skips[rounds()] + virtual;
            taken[base] = true;
        }

        int[] lastSkips() {
            extend(0, 2 * skips[rounds()], rounds());
            if (round < found.length) {
                throw new AssertionError("no block for round " + round + " of rank " + goal);
            }
            return found;
        }

        /**
         * Extends a way.
         *
         * @param place where it has come to
         * @param bound ends found before are beyond it
         * @param greatest the greatest skip that it may take now
         */
        private void extend(int place, int bound, int greatest) {
            int end = bound;
            for (int skip = greatest; skip >= 0; skip--) {
                int next = place + skips[skip];
                if (!taken[skip] && round < found.length && next <= goal - skips[round] && next < end) {
                    if (next <= goal - nextSkip()) {
                        extend(next, end, skip);
                    }
                    if (round == found.length || place > goal - nextSkip()) {
                        return;
                    }
                    end = next;
                    taken[skip] = true;
                    found[round++] = skip;
                }
            }
        }

        private int nextSkip() {
            return skips[round + 1];
        }
    }
}

package io.parex.schedule;

/**
 * How any number of ranks makes do with an algorithm for a power of two: as many of the first ranks as are too many
 * pair up with a neighbour, {@code (0, 1)}, {@code (2, 3)}, ...; one of each pair, the even rank, hands what it has to
 * the other and folds away. Those that are left, the core, are numbered in rank order.
 *
 * @param size ranks, 1 or more
 * @param kept a rank that never folds away, its neighbour does; negative for none
 */
public record Folding(int size, int kept) {

    /** The folding in which odd ranks stay. */
    public Folding(int size) {
        this(size, -1);
    }

    /** Ranks of the core, the largest power of two that is not above the size. */
    public int core() {
        return Integer.highestOneBit(size);
    }

    /** Ranks that fold away, each of another pair. */
    public int pairs() {
        return size - core();
    }

    /** The other of a rank's pair, -1 if it is in none. */
    public int neighbour(int rank) {
        return rank < 2 * pairs() ? rank ^ 1 : -1;
    }

    /** Whether a rank folds away. */
    public boolean isAway(int rank) {
        return rank < 2 * pairs() && actual(rank / 2) != rank;
    }

    /** The number in the core of a rank, or of its neighbour if it folds away. */
    public int virtual(int rank) {
        return rank < 2 * pairs() ? rank / 2 : rank - pairs();
    }

    /** The rank that has a number in the core. */
    public int actual(int virtual) {
        if (virtual >= pairs()) {
            return virtual + pairs();
        }
        return kept == 2 * virtual ? kept : 2 * virtual + 1;
    }

    /** Whether the rank of a number in the core has a neighbour that folds away. */
    public boolean isPaired(int virtual) {
        return virtual < pairs();
    }

    /** The lowest rank that a number in the core stands for; of number {@code core()}, which is none, the size. */
    public int first(int virtual) {
        return virtual < pairs() ? 2 * virtual : virtual + pairs();
    }

    /** Blocks of the ranks joined into blocks of the core: a pair's are one. */
    public Blocks join(Blocks blocks) {
        long[] lengths = new long[core()];
        for (int virtual = 0; virtual < lengths.length; virtual++) {
            lengths[virtual] = blocks.offset(first(virtual + 1)) - blocks.offset(first(virtual));
        }
        return Blocks.of(lengths);
    }
}

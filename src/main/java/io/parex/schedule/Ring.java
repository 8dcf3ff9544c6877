package io.parex.schedule;

import java.util.List;

/**
 * The ranks in a circle, each next to rank + 1.
 *
 * @param size ranks in the circle
 */
public record Ring(int size) {

    /** The rank {@code distance} places to the right of {@code rank}; negative distances go left. */
    public int right(int rank, int distance) {
        return Math.floorMod(rank + (long) distance, size);
    }

    /**
     * The ranks from {@code first} on, {@code count} to the right, as ranges of ascending ranks: one, or two where the
     * circle closes on the way.
     */
    public List<Range> ranges(int first, int count) {
        int end = Math.min(first + count, size);
        Range range = new Range(first, end);
        return end - first == count ? List.of(range) : List.of(range, new Range(0, count - (end - first)));
    }

    /** Ranks {@code from} up to, but without, {@code to}. */
    public record Range(int from, int to) {}

    /** The right neighbour. */
    public int right(int rank) {
        return right(rank, 1);
    }

    /** The left neighbour. */
    public int left(int rank) {
        return right(rank, -1);
    }
}

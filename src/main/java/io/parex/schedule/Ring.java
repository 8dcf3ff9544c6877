package io.parex.schedule;

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

    /** The right neighbour. */
    public int right(int rank) {
        return right(rank, 1);
    }

    /** The left neighbour. */
    public int left(int rank) {
        return right(rank, -1);
    }
}

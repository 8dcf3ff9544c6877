package io.parex.algorithm;

import io.parex.schedule.Placement;

/**
 * What the cost of a collective depends on. Where ranks have blocks, all of them are taken to be equal.
 *
 * @param ranks of the group
 * @param bytes of the whole tensor
 * @param valueBytes of an element of the tensor
 * @param partialBytes of an element of a partial result
 * @param placement which ranks share a host
 */
public record Shape(int ranks, double bytes, int valueBytes, int partialBytes, Placement placement) {

    public Shape {
        if (ranks < 1 || !(bytes >= 0) || valueBytes < 1 || partialBytes < 1) {
            throw new IllegalArgumentException(ranks + " ranks, " + bytes + " bytes, elements of " + valueBytes
                    + " and " + partialBytes + " bytes");
        }
    }

    /** Of ranks of whose hosts nothing is known. */
    public Shape(int ranks, double bytes, int valueBytes, int partialBytes) {
        this(ranks, bytes, valueBytes, partialBytes, Placement.UNKNOWN);
    }

    /** The same on these hosts. */
    public Shape on(Placement hosts) {
        return new Shape(ranks, bytes, valueBytes, partialBytes, hosts);
    }

    /** Partial results that are as wide as values, as where nothing is reduced. */
    public static Shape of(int ranks, double bytes) {
        return new Shape(ranks, bytes, 1, 1);
    }

    /** Bytes of the whole tensor as partial results. */
    double partial() {
        return bytes / valueBytes * partialBytes;
    }

    /** Bytes of a rank's share of the tensor. */
    double share() {
        return bytes / ranks;
    }

    /** The same as partial results. */
    double partialShare() {
        return partial() / ranks;
    }

    /** Rounds in which the number of ranks that have something doubles: log2, rounded up. */
    int doublings() {
        return Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1);
    }

    /** Rounds of the largest power of two ranks: log2, rounded down. */
    int coreRounds() {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(ranks);
    }

    /** Ranks of the largest power of two. */
    int core() {
        return 1 << coreRounds();
    }

    /** Ranks that are more than that, and fold away. */
    int pairs() {
        return ranks - core();
    }
}

package io.parex.algorithm;

import io.parex.schedule.Blocks;
import io.parex.schedule.Buffer;
import io.parex.schedule.Folding;
import io.parex.schedule.Problem;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * Recursive halving of a reduce_scatter in the core of a folding: the partner of a round is half the core away, then a
 * quarter, and so on; each gives the other the half of its pieces in which the other's own is, and adds what it gets to
 * the half that it keeps, until it is left with its own. A rank that folds away gives all it has to its neighbour
 * beforehand.
 */
final class Halving {
    private final ScheduleBuilder builder;
    private final Folding folding;
    private final Blocks pieces;
    private final int rank;
    private final int virtual;
    private Buffer sums = Buffer.INPUT;
    private long base;

    /**
     * The steps of one rank.
     *
     * @param pieces of the tensor, one per number of the core
     */
    Halving(ScheduleBuilder builder, Problem problem, Folding folding, Blocks pieces) {
        this.builder = builder;
        this.folding = folding;
        this.pieces = pieces;
        this.rank = problem.rank();
        this.virtual = folding.virtual(rank);
    }

    /** Adds the only step of a rank that folds away. */
    void foldAway() {
        builder.send(folding.neighbour(rank), pieces.slice(Buffer.INPUT, 0, pieces.size()));
    }

    /**
     * Adds the steps of a rank of the core of two or more.
     *
     * @param result where the sum of the own piece goes; null to leave it in scratch
     */
    void reduceScatter(Slice result) {
        if (folding.isPaired(virtual)) {
            Slice input = pieces.slice(Buffer.INPUT, 0, pieces.size());
            sums = builder.scratch(pieces.count());
            builder.recvReduce(folding.neighbour(rank), input, sums(0, pieces.size()), false);
        }
        for (int bit = folding.core() >> 1; bit > 0; bit >>= 1) {
            int peer = virtual ^ bit;
            int kept = virtual & -bit;
            int given = kept ^ bit;
            boolean partial = bit << 1 < folding.core() || folding.isPaired(peer);
            Slice own = sums(kept, kept + bit);
            builder.send(folding.actual(peer), sums(given, given + bit));
            Slice target = bit == 1 && result != null ? result : partialSums(kept, bit);
            builder.recvReduce(folding.actual(peer), own, target, partial);
        }
    }

    private Slice partialSums(int from, int count) {
        if (!sums.isScratch()) {
            Slice kept = pieces.slice(Buffer.INPUT, from, from + count);
            sums = builder.scratch(kept.length());
            base = kept.offset();
        }
        return sums(from, from + count);
    }

    /** Pieces that this rank has, as far as they are summed; after {@link #reduceScatter} in scratch. */
    Slice sums(int from, int to) {
        Slice slice = pieces.slice(sums, from, to);
        return new Slice(sums, slice.offset() - base, slice.length());
    }
}

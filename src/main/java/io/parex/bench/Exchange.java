package io.parex.bench;

import io.parex.schedule.Primitive;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Who has what before and after a call with one tensor, in elements: the meaning of the primitives, and no algorithm.
 */
public final class Exchange {
    private final Primitive asked;
    private final Primitive primitive;
    private final int ranks;
    private final int root;
    private final boolean inPlace;
    private final boolean mirrored;
    private final long[] lengths;

    /**
     * A call.
     *
     * @param asked the primitive, or its v-form
     * @param ranks of the group
     * @param root of a rooted primitive, or the sender of a message, which goes to the next rank
     * @param inPlace whether input and output share memory where they can
     * @param mirrored whether a rank gives each other as much as it takes from it, as it must in place; of a v-form
     *     only
     * @param lengths one for all blocks or for the tensor, or that of each rank's block
     */
    public Exchange(Primitive asked, int ranks, int root, boolean inPlace, boolean mirrored, long... lengths) {
        this.asked = asked;
        this.primitive = asked.base();
        this.ranks = ranks;
        this.root = root;
        this.inPlace = inPlace;
        this.mirrored = mirrored;
        this.lengths = lengths.clone();
    }

    /** Elements {@code [from, from + length)} of what {@code rank} gives. */
    public record Piece(int rank, long from, long length) {}

    /** Elements of the block of a rank. */
    public long length(int rank) {
        return lengths[lengths.length == 1 ? 0 : rank];
    }

    /** Of an all_to_all: what {@code from} gives {@code to}. */
    public long length(int from, int to) {
        return length(mirrored ? (from + to) % ranks : (3 * from + to) % ranks);
    }

    /** Where the block of a rank begins among those of all. */
    public long offset(int rank) {
        return IntStream.range(0, rank).mapToLong(this::length).sum();
    }

    private boolean isRoot(int rank) {
        return rank == root;
    }

    /** The primitive that is called, or its v-form. */
    public Primitive asked() {
        return asked;
    }

    public int root() {
        return root;
    }

    /** Whether a rank gives something. */
    public boolean hasInput(int rank) {
        return switch (primitive) {
            case BARRIER -> false;
            case SEND, RECV, ISEND, IRECV, BROADCAST, SCATTER -> isRoot(rank);
            default -> true;
        };
    }

    /** Whether a rank gets something. */
    public boolean hasOutput(int rank) {
        return switch (primitive) {
            case BARRIER -> false;
            case SEND, RECV, ISEND, IRECV -> rank == (root + 1) % ranks;
            case BROADCAST -> !isRoot(rank);
            case GATHER, REDUCE -> isRoot(rank);
            default -> true;
        };
    }

    /** Elements of the input of a rank that has one. */
    public long inputCount(int rank) {
        return switch (primitive) {
            case SCATTER, REDUCE_SCATTER -> offset(ranks);
            case GATHER, ALL_GATHER -> length(rank);
            case ALL_TO_ALL -> LongStream.of(given(rank)).sum();
            default -> length(0);
        };
    }

    /** Elements of the output of a rank that has one. */
    public long outputCount(int rank) {
        return switch (primitive) {
            case SCATTER, REDUCE_SCATTER -> length(rank);
            case GATHER, ALL_GATHER -> offset(ranks);
            case ALL_TO_ALL -> LongStream.of(taken(rank)).sum();
            default -> length(0);
        };
    }

    /** What a rank has for each other in an all_to_all. */
    public long[] given(int rank) {
        return IntStream.range(0, ranks).mapToLong(to -> length(rank, to)).toArray();
    }

    /** What a rank gets from each other in an all_to_all. */
    public long[] taken(int rank) {
        return IntStream.range(0, ranks).mapToLong(from -> length(from, rank)).toArray();
    }

    /** The blocks of all ranks. */
    public long[] blocks() {
        return IntStream.range(0, ranks).mapToLong(this::length).toArray();
    }

    /** The blocks of all ranks where a rank has to know them; null where it need not. */
    public long[] known(int rank) {
        return primitive.rooted() && !isRoot(rank) ? null : blocks();
    }

    /** Elements of each block of what a rank gets, as a v-form tells. */
    public List<Long> lengthsOfOutput(int rank) {
        if (!asked.isV() || !hasOutput(rank)) {
            return List.of();
        }
        return switch (primitive) {
            case SCATTER, REDUCE_SCATTER -> List.of(length(rank));
            case ALL_TO_ALL -> LongStream.of(taken(rank)).boxed().toList();
            default -> LongStream.of(blocks()).boxed().toList();
        };
    }

    /** Whether input and output of a rank are the same memory, or one is a part of the other. */
    public boolean isShared(int rank) {
        return inPlace && hasInput(rank) && hasOutput(rank);
    }

    /** Where a shared output begins in the input; negative where the input is part of the output. */
    public long outputInInput(int rank) {
        return switch (primitive) {
            case SCATTER, REDUCE_SCATTER -> offset(rank);
            case GATHER, ALL_GATHER -> -offset(rank);
            default -> 0;
        };
    }

    /** Which element of all inputs the first of a rank's output is the combination of, for what reduces. */
    public long reducedFrom(int rank) {
        return primitive == Primitive.REDUCE_SCATTER ? offset(rank) : 0;
    }

    /** What the output of a rank consists of, for what moves. */
    public Stream<Piece> pieces(int rank) {
        return switch (primitive) {
            case SEND_RECV -> Stream.of(new Piece((rank + ranks - 1) % ranks, 0, length(0)));
            case SCATTER -> Stream.of(new Piece(root, offset(rank), length(rank)));
            case GATHER, ALL_GATHER -> IntStream.range(0, ranks).mapToObj(from -> new Piece(from, 0, length(from)));
            case ALL_TO_ALL ->
                IntStream.range(0, ranks)
                        .mapToObj(from -> new Piece(
                                from, LongStream.of(given(from)).limit(rank).sum(), length(from, rank)));
            default -> Stream.of(new Piece(root, 0, length(0)));
        };
    }
}

package io.parex.bench.verify;

import io.parex.schedule.Primitive;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Who has what before and after a call with one tensor, in elements: the meaning of the primitives, and no algorithm.
 */
final class Exchange {
    private final Primitive primitive;
    private final int ranks;
    private final int root;
    private final int receiver;
    private final boolean inPlace;
    private final long[] lengths;

    /**
     * That of {@code check}.
     *
     * @param lengths one for all blocks or for the tensor, or that of each rank's block
     */
    Exchange(Check check, long[] lengths) {
        this.primitive = check.primitive().base();
        this.ranks = check.ranks();
        this.root = check.root();
        this.receiver = check.receiver();
        this.inPlace = check.inPlace();
        this.lengths = lengths;
    }

    /** Elements {@code [from, from + length)} of what {@code rank} gives. */
    record Piece(int rank, long from, long length) {}

    /** The block of a rank. */
    long length(int rank) {
        return lengths[lengths.length == 1 ? 0 : rank];
    }

    /** Of an all_to_all; in place what a rank gives another is as long as what it takes from it. */
    long length(int from, int to) {
        return length(inPlace ? (from + to) % ranks : (3 * from + to) % ranks);
    }

    /** Where the block of a rank begins among those of all. */
    long offset(int rank) {
        return IntStream.range(0, rank).mapToLong(this::length).sum();
    }

    private boolean isRoot(int rank) {
        return rank == root;
    }

    boolean hasInput(int rank) {
        return switch (primitive) {
            case BARRIER -> false;
            case SEND, RECV, ISEND, IRECV, BROADCAST, SCATTER -> isRoot(rank);
            default -> true;
        };
    }

    boolean hasOutput(int rank) {
        return switch (primitive) {
            case BARRIER -> false;
            case SEND, RECV, ISEND, IRECV -> rank == receiver;
            case BROADCAST -> !isRoot(rank);
            case GATHER, REDUCE -> isRoot(rank);
            default -> true;
        };
    }

    /** Elements of the input of a rank that has one. */
    long inputCount(int rank) {
        return switch (primitive) {
            case SCATTER, REDUCE_SCATTER -> offset(ranks);
            case GATHER, ALL_GATHER -> length(rank);
            case ALL_TO_ALL -> LongStream.of(given(rank)).sum();
            default -> length(0);
        };
    }

    /** Elements of the output of a rank that has one. */
    long outputCount(int rank) {
        return switch (primitive) {
            case SCATTER, REDUCE_SCATTER -> length(rank);
            case GATHER, ALL_GATHER -> offset(ranks);
            case ALL_TO_ALL -> LongStream.of(taken(rank)).sum();
            default -> length(0);
        };
    }

    /** What a rank has for each other in an all_to_all. */
    long[] given(int rank) {
        return IntStream.range(0, ranks).mapToLong(to -> length(rank, to)).toArray();
    }

    /** What a rank gets from each other in an all_to_all. */
    long[] taken(int rank) {
        return IntStream.range(0, ranks).mapToLong(from -> length(from, rank)).toArray();
    }

    /** The blocks of all ranks. */
    long[] blocks() {
        return IntStream.range(0, ranks).mapToLong(this::length).toArray();
    }

    /** Elements of each block of what a rank gets, as a v-form tells. */
    List<Long> taken(Primitive asked, int rank) {
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
    boolean isShared(int rank) {
        return inPlace && hasInput(rank) && hasOutput(rank);
    }

    /** Where a shared output begins in the input; negative where the input is part of the output. */
    long outputInInput(int rank) {
        return switch (primitive) {
            case SCATTER, REDUCE_SCATTER -> offset(rank);
            case GATHER, ALL_GATHER -> -offset(rank);
            default -> 0;
        };
    }

    /** Which element of all inputs the first of a rank's output is the combination of, for what reduces. */
    long reducedFrom(int rank) {
        return primitive == Primitive.REDUCE_SCATTER ? offset(rank) : 0;
    }

    /** What the output of a rank consists of, for what moves. */
    Stream<Piece> pieces(int rank) {
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

package io.parex.bench;

import io.parex.schedule.Primitive;
import java.util.stream.IntStream;

/** How the tensors of a benchmark are cut into blocks. */
final class Layouts {
    private Layouts() {}

    /**
     * A call with {@code count} elements on the larger side: equal blocks of a primitive; of its v-form uneven ones,
     * that of rank r in proportion to 2r+1, which of an all_to_all each rank sends and receives all of.
     */
    static Exchange exchange(Primitive primitive, int ranks, long count, CallShape shape) {
        long[] lengths = {primitive.isBlocked() ? count / ranks : count};
        if (primitive.isV()) {
            lengths = IntStream.range(0, ranks)
                    .mapToLong(rank -> begin(rank + 1, ranks, count) - begin(rank, ranks, count))
                    .toArray();
        }
        int root = primitive.rooted() ? shape.root() : 0;
        return new Exchange(primitive, ranks, root, shape.inPlace(), true, lengths);
    }

    /** Squares grow by odd numbers. */
    private static long begin(long rank, long ranks, long count) {
        return (long) (count * (rank * rank / (double) (ranks * ranks)));
    }

    /** The next count at which all blocks of a primitive are equal; at least one element each. */
    static long whole(Primitive primitive, int ranks, long count) {
        boolean isCut = primitive.isBlocked() && !primitive.isV();
        return isCut ? Math.max(1, count / ranks) * ranks : count;
    }
}

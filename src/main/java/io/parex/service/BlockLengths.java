package io.parex.service;

import io.parex.ParexException;
import io.parex.schedule.Blocks;
import io.parex.v1.Lengths;

/** Lengths of blocks, as messages say them. */
final class BlockLengths {
    private BlockLengths() {}

    /**
     * The blocks of all ranks.
     *
     * @param lengths one for each of {@code size} ranks
     */
    static Blocks all(Lengths lengths, int size, String what) {
        if (lengths.getCountsCount() != size) {
            throw ParexException.argument("the " + what + " are " + lengths.getCountsCount() + ", one for each of the "
                    + size + " ranks of the group is due");
        }
        long[] counts =
                lengths.getCountsList().stream().mapToLong(Long::longValue).toArray();
        long sum = 0;
        for (long count : counts) {
            // Unsigned in the message: above 2^63 it is negative here.
            if (count < 0 || (sum += count) < 0) {
                throw ParexException.argument("the " + what + " are more elements than there can be");
            }
        }
        return Blocks.of(counts);
    }

    /** The blocks as a rank knows them that is not the root: all, if they are said, or only its own. */
    static Blocks own(Lengths lengths, int size, int rank, long count) {
        if (lengths.getCountsCount() > 0) {
            return all(lengths, size, "lengths");
        }
        long[] counts = new long[size];
        counts[rank] = count;
        return Blocks.of(counts);
    }
}

package io.parex.bench.verify;

import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Numbers of elements at which something may go wrong. */
final class Counts {
    /** Above what is sent without asking, and no multiple of anything. */
    private static final long LARGE_BYTES = 70_003;

    /** More than a piece that is lent, as a block; as a tensor, so that each rank's share is sent after asking. */
    private static final long LARGER_BYTES = 150_001;

    /** More than fits one vector or one line of anything. */
    static final long PRIME = 1009;

    private Counts() {}

    /** Nothing, one, about one for each rank, a prime. */
    static List<Long> small(int ranks) {
        return LongStream.of(0, 1, ranks - 1, ranks + 1, PRIME)
                .distinct()
                .boxed()
                .toList();
    }

    /** Just above the limit of what is sent without asking. */
    static long large(DataType type) {
        return LARGE_BYTES / type.bytes();
    }

    /** So that every message of every algorithm is above it. */
    static long larger(Primitive primitive, DataType type, int ranks) {
        return (primitive.isBlocked() ? LARGER_BYTES : ranks * LARGE_BYTES + 7) / type.bytes();
    }

    /** Of lists of tensors. */
    static List<Long> several() {
        return List.of(5L, 0L, 1L, PRIME);
    }

    /** Lengths of blocks, with nothing at any place, nothing but one, nothing at all, and one block of many. */
    static List<List<Long>> uneven(int ranks) {
        List<List<Long>> all = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            int special = rank;
            all.add(lengths(ranks, each -> each == special ? 0 : 3 + each));
            all.add(lengths(ranks, each -> each == special ? 5 : 0));
            all.add(lengths(ranks, each -> each == special ? PRIME : 2L * each));
        }
        all.add(lengths(ranks, _ -> 0));
        return all.stream().distinct().toList();
    }

    private static List<Long> lengths(int ranks, IntToLongFunction length) {
        return IntStream.range(0, ranks).mapToLong(length).boxed().toList();
    }
}

package io.parex.discovery;

import io.parex.ParexException;
import io.smallrye.mutiny.Uni;

/** The ranks of a world of {@code size}. */
record Ranks(int size) {
    Ranks {
        if (size < 1) {
            throw ParexException.argument("a world has at least one rank, not " + size);
        }
    }

    int last() {
        return size - 1;
    }

    boolean has(int rank) {
        return rank >= 0 && rank < size;
    }

    /** Fails with kind {@code argument} for a rank that the world does not have. */
    Uni<Void> check(int rank) {
        return has(rank)
                ? Uni.createFrom().voidItem()
                : Uni.createFrom().failure(() -> ParexException.argument("there is no rank " + rank + ": " + this));
    }

    /** As in a sentence. */
    @Override
    public String toString() {
        return size == 1 ? "the world has rank 0 only" : "the world has ranks 0 to " + last();
    }
}

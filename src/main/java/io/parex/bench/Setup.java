package io.parex.bench;

import io.parex.world.CallOptions;
import io.parex.world.LocalWorld;
import io.parex.world.ProcessGroup;

/**
 * What a {@link Workload} works with.
 *
 * @param world whose ranks call
 * @param memory their tensors
 * @param patterns what is in the tensors
 * @param options of every call
 */
record Setup(LocalWorld world, RankMemory memory, Patterns patterns, CallOptions options) {

    int ranks() {
        return world.ranks().size();
    }

    /** The group of all ranks as {@code rank} sees it. */
    ProcessGroup group(int rank) {
        return world.rank(rank).group();
    }
}

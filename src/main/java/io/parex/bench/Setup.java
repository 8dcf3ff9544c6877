package io.parex.bench;

import io.parex.world.CallOptions;
import io.parex.world.LocalWorld;
import io.parex.world.ProcessGroup;
import io.parex.world.World;
import java.util.List;

/**
 * What a {@link Workload} works with.
 *
 * @param world whose ranks in this process call
 * @param memory their tensors
 * @param patterns what is in the tensors
 * @param options of every call
 */
record Setup(LocalWorld world, RankMemory memory, Patterns patterns, CallOptions options) {

    /** Ranks of the world. */
    int ranks() {
        return world.ranks().getFirst().size();
    }

    /** Those of them that live in this process. */
    List<Integer> here() {
        return world.ranks().stream().map(World::rank).toList();
    }

    /** The group of all ranks as {@code rank} sees it. */
    ProcessGroup group(int rank) {
        return world.rank(rank).group();
    }
}

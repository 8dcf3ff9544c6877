package io.parex.world;

import io.parex.ParexException;
import io.parex.transport.Fabric;
import io.parex.transport.LocalFabric;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The ranks of a world that live in this process: all of them, joined by local links, or some of a world of several
 * processes. Any thread.
 */
public final class LocalWorld implements AutoCloseable {
    private static final int MAX_SIZE = 1024;

    private final Fabric fabric;
    private final List<World> ranks;

    private LocalWorld(Fabric fabric, List<Integer> hosted, int size, WorldOptions options) {
        this.fabric = fabric;
        this.ranks = hosted.stream()
                .sorted()
                .map(rank -> World.join(rank, size, options, fabric.network(rank)))
                .toList();
    }

    /** Starts a world of {@code size} ranks, 1 to 1024, in this process; all are ready when this returns. */
    public static LocalWorld start(int size, WorldOptions options) {
        if (size < 1 || size > MAX_SIZE) {
            throw ParexException.argument("a world has 1 to " + MAX_SIZE + " ranks in one process, not " + size);
        }
        List<Integer> all = IntStream.range(0, size).boxed().toList();
        return new LocalWorld(new LocalFabric(size, options.copyPoolBytes()), all, size, options);
    }

    /**
     * Starts the ranks {@code hosted} of a world of {@code size} that has other ranks elsewhere; they are ready when
     * they have {@linkplain World#joined joined}.
     *
     * @param fabric that hosts them; closed with the ranks
     */
    public static LocalWorld join(Fabric fabric, List<Integer> hosted, int size, WorldOptions options) {
        return new LocalWorld(fabric, hosted, size, options);
    }

    /**
     * Rank {@code rank}.
     *
     * @throws ParexException if it does not live in this process
     */
    public World rank(int rank) {
        return ranks.stream()
                .filter(world -> world.rank() == rank)
                .findAny()
                .orElseThrow(() -> ParexException.argument("rank " + rank + " does not live in this process"));
    }

    /** All ranks of this process, in order. */
    public List<World> ranks() {
        return ranks;
    }

    /** Closes all ranks of this process and the loops they live on. */
    @Override
    public void close() {
        try {
            // Together, so that none waits for what another would only say later.
            ranks.forEach(World::leave);
            ranks.forEach(World::close);
        } finally {
            fabric.close();
        }
    }
}

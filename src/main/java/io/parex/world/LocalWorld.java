package io.parex.world;

import io.parex.ParexException;
import io.parex.transport.LocalFabric;
import java.util.List;
import java.util.stream.IntStream;

/** All ranks of a world in this process, joined by local links. Any thread. */
public final class LocalWorld implements AutoCloseable {
    private static final int MAX_SIZE = 1024;

    private final LocalFabric fabric;
    private final List<World> ranks;

    private LocalWorld(int size, WorldOptions options) {
        fabric = new LocalFabric(size, options.copyPoolBytes());
        ranks = IntStream.range(0, size)
                .mapToObj(rank -> World.join(rank, size, options, fabric.network(rank)))
                .toList();
    }

    /** Starts a world of {@code size} ranks, 1 to 1024; all are ready when this returns. */
    public static LocalWorld start(int size, WorldOptions options) {
        if (size < 1 || size > MAX_SIZE) {
            throw ParexException.argument("a world has 1 to " + MAX_SIZE + " ranks in one process, not " + size);
        }
        return new LocalWorld(size, options);
    }

    /** Rank {@code rank}. */
    public World rank(int rank) {
        return ranks.get(rank);
    }

    /** All ranks, in order. */
    public List<World> ranks() {
        return ranks;
    }

    /** Closes all ranks and the loops they live on. */
    @Override
    public void close() {
        try {
            ranks.forEach(World::close);
        } finally {
            fabric.close();
        }
    }
}

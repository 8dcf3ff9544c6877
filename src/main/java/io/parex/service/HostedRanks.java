package io.parex.service;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.world.LocalWorld;
import io.parex.world.World;
import io.parex.world.WorldState;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The ranks that live in this process. There from the start of the application to its end; may be injected anywhere.
 * Any thread.
 */
public final class HostedRanks implements AutoCloseable {
    private final LocalWorld local;
    private final String version;
    private volatile int cutCalls;

    /** Hosts all ranks of {@code local} in a process of version {@code version}. */
    HostedRanks(LocalWorld local, String version) {
        this.local = local;
        this.version = version;
    }

    /** All of them, by rank. */
    public List<World> worlds() {
        return local.ranks();
    }

    /** Version of this process. */
    public String version() {
        return version;
    }

    /**
     * The rank meant by a caller who may leave it out where there is only one.
     *
     * @throws ParexException if it is not hosted here, or is left out where several are; names those that are hosted
     */
    public World world(OptionalInt rank) {
        List<World> worlds = worlds();
        if (rank.isEmpty() && worlds.size() == 1) {
            return worlds.getFirst();
        }
        if (rank.isEmpty()) {
            throw ParexException.argument("the rank is missing, and this process hosts several: " + names());
        }
        return worlds.stream()
                .filter(world -> world.rank() == rank.getAsInt())
                .findAny()
                .orElseThrow(() -> ParexException.argument(
                        "rank " + rank.getAsInt() + " is not hosted by this process, which hosts " + names()));
    }

    /** The one rank of a process that hosts one. */
    public World only() {
        if (worlds().size() != 1) {
            throw new ParexException(
                    ErrorKind.ARGUMENT,
                    "a World can be injected where one rank is hosted; this process" + " hosts " + names()
                            + ": inject HostedRanks and choose");
        }
        return worlds().getFirst();
    }

    /** Ranks that do not take calls. */
    public List<World> missing() {
        return worlds().stream()
                .filter(world -> world.state() != WorldState.READY)
                .toList();
    }

    private String names() {
        return worlds().stream().map(world -> String.valueOf(world.rank())).collect(Collectors.joining(", "));
    }

    /** Calls of clients that had not ended when the ranks closed at shutdown, and failed by that; 0 before. */
    public int cutCalls() {
        return cutCalls;
    }

    void setCutCalls(int count) {
        cutCalls = count;
    }

    /** Closes all ranks: operations in flight fail with kind {@code left}. Waits for them; never on an event loop. */
    @Override
    public void close() {
        local.close();
    }
}

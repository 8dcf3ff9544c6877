package io.parex.service;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.world.LocalWorld;
import io.parex.world.World;
import io.parex.world.WorldState;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The ranks that live in this process. There from the start of the application to its end; may be injected anywhere.
 * Any thread.
 */
public final class HostedRanks implements AutoCloseable {
    private final LocalWorld local;
    private final Spread spread;
    private final String version;
    private volatile int cutCalls;

    /** Hosts all ranks of {@code local} in a process of version {@code version}. */
    HostedRanks(LocalWorld local, String version) {
        this.local = local;
        this.spread = null;
        this.version = version;
    }

    /** Hosts the rank of a world of several processes. */
    HostedRanks(Spread spread, String version) {
        this.local = spread.world();
        this.spread = spread;
        this.version = version;
    }

    /** The way to other processes; empty where all ranks live in this one. */
    public Optional<Spread> spread() {
        return Optional.ofNullable(spread);
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

    /** Ranks of the world that keep those here from taking calls: not heard of yet, or, of these, lost or closed. */
    public List<Integer> missing() {
        return worlds().stream()
                .filter(world -> world.state() != WorldState.READY)
                .flatMap(world ->
                        world.state() == WorldState.STARTING ? world.missing().stream() : Stream.of(world.rank()))
                .distinct()
                .sorted()
                .toList();
    }

    /** Whether all ranks here take calls. */
    public boolean isReady() {
        return worlds().stream().allMatch(world -> world.state() == WorldState.READY);
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
        if (spread != null) {
            spread.close();
        } else {
            local.close();
        }
    }
}

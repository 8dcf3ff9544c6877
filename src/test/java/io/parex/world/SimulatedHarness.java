package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.simulator.Simulation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/** Ranks on simulated loops and links, under virtual time. */
final class SimulatedHarness implements Harness {
    private static final long PATIENCE_NANOS = Duration.ofHours(2).toNanos();

    private final Simulation simulation;
    private final List<World> worlds;

    SimulatedHarness(int size, WorldOptions options, long seed, Simulation.Weather weather) {
        this(new Simulation(size, seed, weather, options.copyPoolBytes()), size, options);
    }

    /** Ranks on a network that has been made ready. */
    SimulatedHarness(Simulation simulation, int size, WorldOptions options) {
        this.simulation = simulation;
        worlds = IntStream.range(0, size)
                .mapToObj(rank -> World.join(rank, size, options, simulation.network(rank)))
                .toList();
        simulation.runUntil(() -> worlds.stream().allMatch(world -> world.state() == WorldState.READY), PATIENCE_NANOS);
    }

    Simulation simulation() {
        return simulation;
    }

    @Override
    public boolean sharesMemory() {
        return !simulation.isWired();
    }

    @Override
    public List<World> worlds() {
        return worlds;
    }

    @Override
    public void after(Duration delay, Runnable task) {
        simulation.after(delay.toNanos(), task);
    }

    @Override
    public void pass(Duration delay) {
        simulation.run(delay.toNanos());
    }

    @Override
    public void settle(Collection<Work> works) {
        Deque<Work> open = new ArrayDeque<>(works);
        simulation.runUntil(
                () -> {
                    while (!open.isEmpty() && open.peek().isDone()) {
                        open.remove();
                    }
                    return open.isEmpty();
                },
                PATIENCE_NANOS);
    }

    @Override
    public long nanoTime() {
        return simulation.nowNanos();
    }

    @Override
    public void close() {
        worlds.forEach(World::leave);
        simulation.runUntil(
                () -> worlds.stream().allMatch(world -> world.state() == WorldState.CLOSED), PATIENCE_NANOS);
        // Frames that are still on their way may hold copies.
        simulation.run(Duration.ofSeconds(10).toNanos());
        try {
            for (World rank : worlds) {
                String where = rank.rank() + "; " + simulation.replay();
                assertEquals(0, rank.inFlight(), "operations in flight on rank " + where);
                assertEquals(0, rank.scratchBytes(), "scratch held by rank " + where);
            }
        } finally {
            simulation.close();
        }
    }
}

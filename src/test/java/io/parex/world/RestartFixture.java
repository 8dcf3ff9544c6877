package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.parex.ParexException;
import io.parex.simulator.Simulation;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/** For tests of ranks that are started again: a world in virtual time, each rank in memory of its own. */
abstract class RestartFixture {
    static final Duration LONG = Duration.ofSeconds(60);
    private static final WorldOptions OPTIONS =
            WorldOptions.DEFAULT.withCallTimeout(LONG).withStartTimeout(Duration.ofSeconds(90));
    private static final long POOL_BYTES = 64 << 20;

    Simulation simulation;
    List<World> worlds;

    void start(int size, long seed) {
        begin(size, seed);
        until(() -> worlds.stream().allMatch(world -> world.state() == WorldState.READY), LONG);
    }

    /** As {@link #start}, and does not wait for the ranks to be ready. */
    void begin(int size, long seed) {
        simulation = new Simulation(size, seed, Simulation.Weather.ROUGH_WIRED, POOL_BYTES);
        simulation.faults().separateMemory(POOL_BYTES);
        worlds = new ArrayList<>();
        IntStream.range(0, size).forEach(rank -> worlds.add(World.join(rank, size, OPTIONS, simulation.network(rank))));
    }

    @AfterEach
    void close() {
        worlds.forEach(World::leave);
        simulation.run(Duration.ofSeconds(60).toNanos());
        for (int rank = 0; rank < worlds.size(); rank++) {
            if (!simulation.faults().isDead(rank)) {
                assertEquals(0, simulation.network(rank).pool().usedBytes(), "scratch and copies of rank " + rank);
                assertEquals(0, simulation.network(rank).arrivals().usedBytes(), "arrivals kept by rank " + rank);
            }
        }
        simulation.close();
    }

    void until(BooleanSupplier condition, Duration limit) {
        simulation.runUntil(condition, limit.toNanos());
    }

    ProcessGroup group(int rank) {
        return worlds.get(rank).group();
    }

    void crash(int rank) {
        simulation.faults().crash(rank, false);
    }

    /** Another process of a rank, which may find the one before it alive. */
    World startAnother(int rank) {
        World another =
                World.join(rank, worlds.size(), OPTIONS, simulation.faults().restart(rank));
        worlds.set(rank, another);
        return another;
    }

    /** Another process of a rank, in another place than where the others look for it. */
    World startElsewhere(int rank) {
        World another =
                World.join(rank, worlds.size(), OPTIONS, simulation.faults().restart(rank, true));
        worlds.set(rank, another);
        return another;
    }

    /** The connections of a rank break, one after the other, while the world is in use. */
    void assertResumes(int rank) {
        for (int peer = 0; peer < worlds.size(); peer++) {
            if (peer != rank) {
                assertSums();
                simulation.faults().cut(rank, peer);
                simulation.run(Duration.ofSeconds(1).toNanos());
                assertSums();
            }
        }
        for (World world : worlds) {
            assertEquals(WorldState.READY, world.state(), "rank " + world.rank());
        }
    }

    void restart(int rank) {
        crash(rank);
        World successor = startAnother(rank);
        until(() -> successor.state() == WorldState.READY, LONG);
    }

    Recovered recover() {
        List<CompletableFuture<Recovered>> recoveries = IntStream.range(0, worlds.size())
                .mapToObj(rank -> RecoveryTest.recover(group(rank), LONG))
                .toList();
        until(() -> recoveries.stream().allMatch(CompletableFuture::isDone), LONG.multipliedBy(2));
        List<Recovered> results =
                recoveries.stream().map(CompletableFuture::join).distinct().toList();
        assertEquals(1, results.size(), "all members hear the same: " + results);
        return results.getFirst();
    }

    Work sum(int rank, TensorView tensor) {
        return group(rank).allReduce(tensor, tensor, ReduceOp.SUM, CallOptions.DEFAULT);
    }

    void assertSums() {
        int n = worlds.size();
        List<TensorView> tensors = IntStream.range(0, n)
                .mapToObj(rank -> Tensors.filled(DataType.INT32, 30_000, i -> i + rank))
                .toList();
        List<Work> works = IntStream.range(0, n)
                .mapToObj(rank -> sum(rank, tensors.get(rank)))
                .toList();
        until(() -> works.stream().allMatch(Work::isDone), LONG);
        works.forEach(Work::await);
        TensorView expected = Tensors.filled(DataType.INT32, 30_000, i -> n * (double) i + n * (n - 1) / 2.0);
        tensors.forEach(tensor -> Tensors.assertSame(expected, tensor, "sum"));
    }

    ParexException failure(Work work, Duration within) {
        until(work::isDone, within);
        return assertThrows(ParexException.class, work::await);
    }
}

package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.transport.tcp.LoopbackFabrics;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Ranks on real event loops, joined by local links or by TCP. */
final class LocalHarness implements Harness {
    private static final long PATIENCE_SECONDS = 60;

    private final List<World> worlds;
    private final boolean sharesMemory;
    private final Runnable close;
    private final ScheduledExecutorService callers = Executors.newScheduledThreadPool(2);

    private LocalHarness(List<World> worlds, boolean sharesMemory, Runnable close) {
        this.worlds = worlds;
        this.sharesMemory = sharesMemory;
        this.close = close;
    }

    /** All ranks on one fabric. */
    static LocalHarness local(int size, WorldOptions options) {
        LocalWorld world = LocalWorld.start(size, options);
        return new LocalHarness(world.ranks(), true, world::close);
    }

    /** Each rank on a fabric of its own, as in a process of its own. */
    static LocalHarness tcp(int size, WorldOptions options) {
        LoopbackFabrics fabrics = new LoopbackFabrics(size, options.copyPoolBytes());
        List<LocalWorld> parts = IntStream.range(0, size)
                .mapToObj(rank -> LocalWorld.join(fabrics.fabric(rank), List.of(rank), size, options))
                .toList();
        List<World> worlds = parts.stream().map(part -> part.ranks().getFirst()).toList();
        worlds.forEach(world -> world.joined().await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)));
        return new LocalHarness(worlds, false, () -> {
            // Together: a rank that closes says so to all others.
            worlds.forEach(World::leave);
            parts.forEach(LocalWorld::close);
        });
    }

    @Override
    public boolean sharesMemory() {
        return sharesMemory;
    }

    @Override
    public List<World> worlds() {
        return worlds;
    }

    @Override
    public void after(Duration delay, Runnable task) {
        callers.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void pass(Duration delay) {
        CountDownLatch over = new CountDownLatch(1);
        after(delay, over::countDown);
        assertDown(over);
    }

    @Override
    public void settle(Collection<Work> works) {
        CountDownLatch open = new CountDownLatch(works.size());
        for (Work work : works) {
            work.completion().subscribe().with(done -> open.countDown(), failed -> open.countDown());
        }
        assertDown(open);
    }

    private static void assertDown(CountDownLatch latch) {
        try {
            assertTrue(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS), "an operation hangs");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void close() {
        callers.shutdownNow();
        close.run();
        for (World rank : worlds) {
            assertEquals(0, rank.inFlight(), "operations in flight on rank " + rank.rank());
            assertEquals(0, rank.scratchBytes(), "scratch held by rank " + rank.rank());
        }
    }
}

package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Ranks on real event loops, joined by local links. */
final class LocalHarness implements Harness {
    private static final long PATIENCE_SECONDS = 60;

    private final LocalWorld world;
    private final ScheduledExecutorService callers = Executors.newScheduledThreadPool(2);

    LocalHarness(int size, WorldOptions options) {
        world = LocalWorld.start(size, options);
    }

    @Override
    public boolean sharesMemory() {
        return true;
    }

    @Override
    public List<World> worlds() {
        return world.ranks();
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
        world.close();
        for (World rank : world.ranks()) {
            assertEquals(0, rank.inFlight(), "operations in flight on rank " + rank.rank());
            assertEquals(0, rank.scratchBytes(), "scratch held by rank " + rank.rank());
        }
    }
}

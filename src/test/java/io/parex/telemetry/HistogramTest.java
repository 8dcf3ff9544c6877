package io.parex.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.schedule.Primitive;
import io.parex.world.CallOptions;
import io.parex.world.CallRecord;
import io.parex.world.LocalWorld;
import io.parex.world.Work;
import io.parex.world.WorldOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Case C120: durations add up over ranks and pods, and tell waiting from transfer. */
class HistogramTest {
    private static final Duration LATE = Duration.ofMillis(50);
    private static final Duration VERY_LATE = Duration.ofSeconds(2);
    private static final int LATE_CALLS = 100;
    private static final int VERY_LATE_CALLS = 5;

    private static final String DURATION = MeterNames.OPERATION_DURATION.scraped();
    private static final String WAIT = MeterNames.OPERATION_WAIT.scraped();
    private static final Map<String, String> BARRIER = Map.of("primitive", "barrier");
    private static final Map<String, String> PUNCTUAL = Map.of("primitive", "barrier", "rank", "0");
    private static final Map<String, String> TARDY = Map.of("primitive", "barrier", "rank", "1");

    private final Pod[] pods = {new Pod(), new Pod()};

    /** The same calls as below, without the time that they take. */
    @Test
    void shouldGiveQuantilesNearTheTruth() {
        PrimitiveMeters punctual = new PrimitiveMeters(pods[0].registry(), Primitive.BARRIER, "0");
        PrimitiveMeters tardy = new PrimitiveMeters(pods[1].registry(), Primitive.BARRIER, "1");
        for (int call = 0; call < LATE_CALLS + VERY_LATE_CALLS; call++) {
            long waitNanos = lateness(call).toNanos();
            punctual.record(barrier(0, waitNanos + 200_000, waitNanos));
            tardy.record(barrier(1, 200_000, 0));
        }
        assertAddsUp();
    }

    @Test
    @Tag("slow")
    @Timeout(120)
    void shouldGiveQuantilesNearTheTruthOfRealBarriers() {
        try (LocalWorld world = LocalWorld.start(2, WorldOptions.DEFAULT);
                ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor()) {
            WorldMeters.bind(world.rank(0), pods[0].registry());
            WorldMeters.bind(world.rank(1), pods[1].registry());
            for (int call = 0; call < LATE_CALLS + VERY_LATE_CALLS; call++) {
                meet(world, clock, lateness(call));
            }
            assertAddsUp();
        }
    }

    /** A few real calls in every run of the tests: who waited, and for how long. */
    @Test
    @Timeout(60)
    void shouldCountWaitingOnThePunctualRankOnly() {
        try (LocalWorld world = LocalWorld.start(2, WorldOptions.DEFAULT);
                ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor()) {
            // Loading the classes of a first call takes longer than the lateness.
            meet(world, clock, Duration.ZERO);
            WorldMeters.bind(world.rank(0), pods[0].registry());
            WorldMeters.bind(world.rank(1), pods[1].registry());
            // Long against what a loaded machine may take to wake a thread.
            Duration late = LATE.multipliedBy(4);
            for (int call = 0; call < 4; call++) {
                meet(world, clock, late);
            }
            Scrape scrape = Scrape.of(pods);
            assertEquals(8, scrape.sum(DURATION + "_count", BARRIER));
            double lateSeconds = 4 * late.toMillis() / 1000.0;
            double punctualSeconds = scrape.sum(WAIT + "_sum", PUNCTUAL);
            assertTrue(punctualSeconds >= lateSeconds, () -> "waited " + punctualSeconds + " s");
            double tardySeconds = scrape.sum(WAIT + "_sum", TARDY);
            assertTrue(tardySeconds < lateSeconds / 2, () -> "waited " + tardySeconds + " s");
        }
    }

    private static Duration lateness(int call) {
        return call < LATE_CALLS ? LATE : VERY_LATE;
    }

    private static CallRecord barrier(int rank, long durationNanos, long waitNanos) {
        return new CallRecord(
                rank, "world", 0, Primitive.BARRIER, "dissemination", null, null, 0, 2, durationNanos, waitNanos, null);
    }

    private static void meet(LocalWorld world, ScheduledExecutorService clock, Duration late) {
        List<Work> works = new ArrayList<>();
        works.add(world.rank(0).group().barrier(CallOptions.DEFAULT));
        try {
            works.add(clock.schedule(
                            () -> world.rank(1).group().barrier(CallOptions.DEFAULT),
                            late.toNanos(),
                            TimeUnit.NANOSECONDS)
                    .get());
        } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException(e);
        }
        works.forEach(Work::await);
    }

    private void assertAddsUp() {
        Scrape scrape = Scrape.of(pods);
        int calls = LATE_CALLS + VERY_LATE_CALLS;
        assertEquals(calls, scrape.sum(DURATION + "_count", PUNCTUAL));
        assertEquals(2 * calls, scrape.sum(DURATION + "_count", BARRIER));

        List<Double> cumulative = List.copyOf(scrape.buckets(DURATION, PUNCTUAL).values());
        assertEquals(cumulative.stream().sorted().toList(), cumulative);
        assertEquals(calls, cumulative.getLast());

        assertEquals(0.05, scrape.quantile(0.5, DURATION, PUNCTUAL), 0.02);
        assertEquals(2.0, scrape.quantile(0.99, DURATION, PUNCTUAL), 0.3);
        // Half of all calls of both pods together hardly took any time.
        assertTrue(scrape.quantile(0.45, DURATION, BARRIER) < 0.01);
        assertEquals(0.05, scrape.quantile(0.75, DURATION, BARRIER), 0.02);

        double waited = LATE_CALLS * 0.05 + VERY_LATE_CALLS * 2;
        assertEquals(waited, scrape.sum(WAIT + "_sum", PUNCTUAL), 0.3 * waited);
        assertTrue(scrape.sum(WAIT + "_sum", TARDY) < 0.1 * waited);
        double transfer = scrape.sum(DURATION + "_sum", PUNCTUAL) - scrape.sum(WAIT + "_sum", PUNCTUAL);
        assertTrue(transfer >= 0 && transfer < 0.1 * waited, () -> "transfer took " + transfer + " s");
    }
}

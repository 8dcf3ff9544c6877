package io.parex.service;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The streams that clients have open, and the clock that finds those whose client has stopped reading. Any thread. */
final class OpenStreams implements AutoCloseable {
    /** A client's stream. */
    interface Stream {
        /** Time passes. Any thread. */
        void tick(long nowNanos);

        /** The process is shutting down. Any thread. */
        void closing(String text);
    }

    /** Rough is enough: limits are enforced up to a tenth too late. */
    private static final int TICKS_PER_STALL = 10;

    private static final long LONGEST_TICK_MILLIS = 1000;

    private final Set<Stream> streams = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("parex-grpc-clock").unstarted(task));

    /** Starts the clock, fine enough for limits of {@code stall}. */
    OpenStreams(Duration stall) {
        long millis = Math.clamp(stall.toMillis() / TICKS_PER_STALL, 1, LONGEST_TICK_MILLIS);
        clock.scheduleAtFixedRate(this::tick, millis, millis, TimeUnit.MILLISECONDS);
    }

    private void tick() {
        long now = System.nanoTime();
        streams.forEach(stream -> stream.tick(now));
    }

    void add(Stream stream) {
        streams.add(stream);
    }

    void remove(Stream stream) {
        streams.remove(stream);
    }

    int count() {
        return streams.size();
    }

    void announceClosing(String text) {
        streams.forEach(stream -> stream.closing(text));
    }

    /** Stops the clock. */
    @Override
    public void close() {
        clock.shutdownNow();
    }
}

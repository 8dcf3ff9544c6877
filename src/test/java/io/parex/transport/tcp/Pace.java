package io.parex.transport.tcp;

import java.util.concurrent.locks.LockSupport;

/** Lets bytes pass at a rate, with bursts of a few milliseconds. One thread. */
final class Pace {
    private static final long BURST_NANOS = 5_000_000;

    private final double nanosPerByte;
    private long freeAtNanos = System.nanoTime();

    Pace(long bytesPerSecond) {
        nanosPerByte = 1e9 / bytesPerSecond;
    }

    /** The same rate for somebody else. */
    Pace fresh() {
        return new Pace((long) (1e9 / nanosPerByte));
    }

    /** Waits until {@code bytes} more may pass. */
    void take(int bytes) {
        long now = System.nanoTime();
        freeAtNanos = Math.max(freeAtNanos, now - BURST_NANOS) + (long) (bytes * nanosPerByte);
        while (freeAtNanos > System.nanoTime()) {
            LockSupport.parkNanos(freeAtNanos - System.nanoTime());
        }
    }
}

package io.parex.protocol.link;

/**
 * Watches a connection that may say nothing for long: asks when it has been silent for a while, and gives it up when it
 * does not answer. Owner loop only.
 */
final class Heartbeat {
    /** Parts of the detection bound: silence before a question, and before the connection is given up. */
    private static final double ASK = 0.2;

    private static final double GIVE_UP = 0.6;

    private final Timing timing;
    private final long askNanos;
    private final long giveUpNanos;
    private final Runnable ask;
    private final Runnable giveUp;
    private Timing.Timer timer;
    private long heardNanos;

    Heartbeat(Timing timing, long detectNanos, Runnable ask, Runnable giveUp) {
        this.timing = timing;
        this.askNanos = (long) (detectNanos * ASK);
        this.giveUpNanos = (long) (detectNanos * GIVE_UP);
        this.ask = ask;
        this.giveUp = giveUp;
    }

    /** There is a connection. */
    void start() {
        heard();
        schedule();
    }

    /** Something has arrived. */
    void heard() {
        heardNanos = timing.nanoTime();
    }

    /** When something arrived last. */
    long heardNanos() {
        return heardNanos;
    }

    void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void schedule() {
        timer = timing.schedule(askNanos, this::look);
    }

    private void look() {
        long silent = timing.nanoTime() - heardNanos;
        if (silent >= giveUpNanos) {
            timer = null;
            giveUp.run();
            return;
        }
        if (silent >= askNanos / 2) {
            ask.run();
        }
        schedule();
    }
}

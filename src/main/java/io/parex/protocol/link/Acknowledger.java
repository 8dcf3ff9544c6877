package io.parex.protocol.link;

/**
 * Decides when to acknowledge by a frame of its own: at once what is large or asked for, the rest after a moment in
 * which any other frame may take it along. Owner loop only.
 */
final class Acknowledger {
    private final Timing timing;
    private final Runnable acknowledge;
    private Timing.Timer timer;
    private long due;
    private boolean pending;
    private boolean urgent;

    Acknowledger(Timing timing, Runnable acknowledge) {
        this.timing = timing;
        this.acknowledge = acknowledge;
    }

    /** {@code bytes} more have been consumed, or a control frame with none. */
    void consumed(long bytes) {
        due += bytes;
        pending = true;
    }

    /** The other side waits for nothing but the acknowledgement. */
    void wanted() {
        urgent = true;
    }

    /** A frame that goes out now carries the position. */
    void told() {
        due = 0;
        pending = false;
        urgent = false;
    }

    /** Whether a frame of its own has to go now. Asked when a turn's worth of bytes has been consumed. */
    boolean isDue() {
        return urgent || due >= LinkLimits.ACKNOWLEDGE_AFTER;
    }

    /** Makes sure that what is not due yet is not forgotten. */
    void remember() {
        if (pending && timer == null) {
            timer = timing.schedule(LinkLimits.ACKNOWLEDGE_WITHIN, () -> {
                timer = null;
                if (pending) {
                    acknowledge.run();
                }
            });
        }
    }

    /** Nothing is acknowledged any more. */
    void stop() {
        told();
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}

package io.parex.schedule;

/** What the validator found wrong with an algorithm's schedules: never a caller's fault, always the algorithm's. */
public final class ScheduleFault extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    ScheduleFault(String message) {
        super(message);
    }
}

package io.parex.service;

import io.grpc.Context;
import io.grpc.Deadline;
import io.parex.ErrorKind;
import io.parex.ParexException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The deadlines that clients set for their RPCs. */
final class Deadlines {
    private Deadlines() {}

    /**
     * {@code limit}, or what is left of the deadline of the RPC of {@code context} where that is less.
     *
     * @throws ParexException if nothing is left of it
     */
    static Duration sooner(Context context, Duration limit) {
        Deadline deadline = context.getDeadline();
        if (deadline == null) {
            return limit;
        }
        Duration left = Duration.ofNanos(deadline.timeRemaining(TimeUnit.NANOSECONDS));
        if (!left.isPositive()) {
            throw new ParexException(ErrorKind.TIMEOUT, "the deadline had passed on arrival; nothing was started");
        }
        return left.compareTo(limit) < 0 ? left : limit;
    }
}

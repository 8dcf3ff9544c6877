package io.parex.world;

import io.parex.protocol.Descriptor;
import io.parex.protocol.Failure;
import io.parex.protocol.Whereabouts;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers the calls of one group on one rank and remembers the last ones: what was called, and which calls have failed,
 * here or elsewhere. Numbers advance whatever the outcome, so that they mean the same call on all members. Owner loop
 * only.
 */
final class CallLog {
    private final Descriptor[] recent = new Descriptor[Limits.CALLS_REMEMBERED];
    private final Map<Long, Failure> failures = new HashMap<>();
    private long next;
    private long completed;
    private long lastEventNanos;

    /**
     * A log without calls.
     *
     * @param next number of the first call
     * @param completed one more than the number of the last call that this rank has completed before, 0 if none
     */
    CallLog(long next, long completed) {
        this.next = next;
        this.completed = completed;
    }

    /** Gives a call its number. */
    long called(Descriptor descriptor, long nowNanos) {
        recent[index(next)] = descriptor;
        lastEventNanos = nowNanos;
        return next++;
    }

    /** Takes the number of a call that is not made here. */
    void skip() {
        recent[index(next)] = null;
        next++;
    }

    /** A call has ended, well or not. */
    void ended(long number, boolean well, long nowNanos) {
        lastEventNanos = nowNanos;
        if (well) {
            completed = Math.max(completed, number + 1);
        }
    }

    /** One more than the number of the last call that has completed; 0 if none has. */
    long completed() {
        return completed;
    }

    /** Number of the next call. */
    long next() {
        return next;
    }

    /** What call {@code number} was; null if it is not among the last ones. */
    Descriptor descriptor(long number) {
        return number < next && number >= next - recent.length ? recent[index(number)] : null;
    }

    /** Notes that a call has failed; false if that was known or is too long ago to matter. */
    boolean failed(long number, Failure failure) {
        if (number < next - recent.length || failures.putIfAbsent(number, failure) != null) {
            return false;
        }
        if (failures.size() > 2 * recent.length) {
            failures.keySet().removeIf(old -> old < next - recent.length);
        }
        return true;
    }

    /** Why call {@code number} failed, null if it is not known to have failed. */
    Failure failure(long number) {
        return failures.get(number);
    }

    /** Where this rank is, for others who ask. */
    Whereabouts whereabouts(long nowNanos, boolean running) {
        Descriptor last = next == 0 ? null : descriptor(next - 1);
        return new Whereabouts(next, last == null ? "" : last.toString(), running, nowNanos - lastEventNanos);
    }

    private int index(long number) {
        return (int) (number % recent.length);
    }
}

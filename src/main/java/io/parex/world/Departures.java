package io.parex.world;

import io.parex.ErrorKind;
import io.parex.protocol.Failure;

/** Which members of a group have left or are lost, and after which call. Owner loop only. */
final class Departures {
    private final Failure[] failures;
    private final long[] nextCalls;

    Departures(int size) {
        failures = new Failure[size];
        nextCalls = new long[size];
    }

    /**
     * Notes a departure; the first word on a member counts.
     *
     * @param finder who says so
     */
    Failure left(int member, long nextCall, ErrorKind kind, int finder, String how) {
        if (failures[member] == null) {
            nextCalls[member] = nextCall;
            failures[member] = new Failure(
                    kind,
                    finder,
                    "rank " + member + " " + how + (nextCall > 0 ? " after call #" + (nextCall - 1) : ""));
        }
        return failures[member];
    }

    /** A member that had left takes part again. */
    void returned(int member) {
        failures[member] = null;
    }

    boolean isGone(int member) {
        return failures[member] != null;
    }

    /** Why member {@code member} is gone; null if it is not. */
    Failure of(int member) {
        return failures[member];
    }

    /** Why call {@code number} cannot succeed; null if all members are there or were when it was called. */
    Failure before(long number) {
        for (int member = 0; member < failures.length; member++) {
            if (failures[member] != null && number >= nextCalls[member]) {
                return failures[member];
            }
        }
        return null;
    }
}

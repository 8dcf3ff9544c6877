package io.parex.service;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.v1.CallHeader;
import java.util.TreeMap;

/**
 * The calls of one client on one group, in the order of their numbers. RPCs of one client have no order on the way; the
 * number in the header gives it back, and tells a repetition from a new call. A call that is refused before it is
 * launched does not use its number: those after it wait for it, for they would pair with the wrong calls of other
 * ranks. Any thread; launching only hands over, so the lock is short.
 */
final class CallOrder {
    private final TreeMap<Long, Runnable> held = new TreeMap<>();
    private final Party party;
    private long next = 1;

    /** The calls of {@code party}, of which the first numbered one has number 1. */
    CallOrder(Party party) {
        this.party = party;
    }

    Party party() {
        return party;
    }

    /**
     * Launches at once, or when all calls with lower numbers have been launched.
     *
     * @throws ParexException if the number was used before, or too many calls are held
     */
    synchronized void submit(CallHeader header, Runnable launch) {
        if (!header.hasCallNumber()) {
            // Under the lock as well: what was submitted first is launched first.
            launch.run();
            return;
        }
        long number = header.getCallNumber();
        if (number < next || held.containsKey(number)) {
            throw ParexException.argument("call number " + number + " of " + party + " was used before, the next is "
                    + next + "; the call is not made again");
        }
        if (number > next && held.size() >= EdgeLimits.CALLS_HELD) {
            throw new ParexException(
                    ErrorKind.OVERLOADED,
                    held.size() + " calls of " + party + " are held for number " + next + ", the most that are; number "
                            + number + " was not started");
        }
        held.put(number, launch);
        launchDue();
    }

    private void launchDue() {
        for (Runnable due = held.remove(next); due != null; due = held.remove(next)) {
            next++;
            due.run();
        }
    }
}

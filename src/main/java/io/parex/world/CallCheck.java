package io.parex.world;

import io.parex.ParexException;
import io.parex.planner.Selector;
import io.parex.schedule.Placement;
import io.parex.schedule.Problem;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Refuses calls that cannot be meant, before anything is started. Any thread. */
final class CallCheck {
    /** Years; safe to count in nanoseconds. */
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(10_000);

    private final String group;
    private final int rank;
    private final int size;
    private final Selector selector;
    private final boolean deterministic;

    /**
     * The checks of a group.
     *
     * @param deterministic whether calls that do not say so are
     */
    CallCheck(String group, int rank, int size, Selector selector, boolean deterministic) {
        this.group = group;
        this.rank = rank;
        this.size = size;
        this.selector = selector;
        this.deterministic = deterministic;
    }

    /** Refuses a duration that does not fit into nanoseconds. */
    static void requireCountable(Duration value) {
        if (value.compareTo(LONGEST_TIMEOUT) > 0) {
            throw ParexException.argument("a time of " + value + " is longer than the longest, " + LONGEST_TIMEOUT);
        }
    }

    /**
     * Throws a {@link ParexException} that says what is wrong.
     *
     * @param placement of the members
     * @return how the call is made; null for point-to-point operations
     */
    Plan verify(Call call, Placement placement) {
        if (call.options() == null) {
            throw refused(call, "the options are missing (null)");
        }
        verifyMemory(call);
        verifyOptions(call);
        switch (call.primitive()) {
            case SEND, ISEND -> verifySend(call);
            case RECV, IRECV -> verifyReceive(call);
            case SEND_RECV -> {
                verifySend(call);
                verifyReceive(call);
            }
            default -> {
                return plan(call, placement);
            }
        }
        return null;
    }

    private void verifyOptions(Call call) {
        Duration timeout = call.options().timeout();
        if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
            throw refused(call, "the timeout must be positive, not " + timeout);
        }
        if (timeout != null) {
            requireCountable(timeout);
        }
        int nameBytes = call.options().name().getBytes(StandardCharsets.UTF_8).length;
        if (nameBytes > Limits.NAME_BYTES) {
            throw refused(call, "its name has " + nameBytes + " bytes of UTF-8, more than " + Limits.NAME_BYTES);
        }
    }

    private Plan plan(Call call, Placement placement) {
        if (call.primitive().rooted()) {
            verifyRank(call, "root", call.root());
        }
        try {
            Problem problem = new CollectiveCheck(rank, size).verify(call);
            return Plan.of(call, problem, placement, size, selector, deterministic);
        } catch (ParexException e) {
            throw new ParexException(e.kind(), where(call) + e.getMessage(), e);
        }
    }

    private void verifyMemory(Call call) {
        String fault = call.input() == null ? null : call.input().fault(false);
        if (fault == null && call.output() != null) {
            fault = call.output().fault(true);
        }
        if (fault != null) {
            throw refused(call, fault);
        }
    }

    private void verifySend(Call call) {
        verifyRank(call, "destination", call.destination());
        if (call.sendTag() < 0) {
            throw refused(call, "tag " + call.sendTag() + " is negative; only receives may leave the tag open");
        }
    }

    private void verifyReceive(Call call) {
        if (call.source() != ProcessGroup.ANY_SOURCE) {
            verifyRank(call, "source", call.source());
        }
        if (call.recvTag() < ProcessGroup.ANY_TAG) {
            throw refused(call, "tag " + call.recvTag() + " is negative");
        }
    }

    private void verifyRank(Call call, String what, int value) {
        if (value < 0 || value >= size) {
            throw refused(call, what + " " + value + " is not a rank of the group, which has " + size);
        }
    }

    private ParexException refused(Call call, String what) {
        return ParexException.argument(where(call) + what);
    }

    private String where(Call call) {
        return call.primitive().label() + " on rank " + rank + " of group " + group + ": ";
    }
}

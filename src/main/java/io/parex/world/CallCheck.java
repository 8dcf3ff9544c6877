package io.parex.world;

import io.parex.ParexException;
import io.parex.planner.Selector;
import io.parex.schedule.Primitive;
import io.parex.tensor.Reductions;
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

    CallCheck(String group, int rank, int size, Selector selector) {
        this.group = group;
        this.rank = rank;
        this.size = size;
        this.selector = selector;
    }

    /** Refuses a duration that does not fit into nanoseconds. */
    static void requireCountable(Duration value) {
        if (value.compareTo(LONGEST_TIMEOUT) > 0) {
            throw ParexException.argument("a time of " + value + " is longer than the longest, " + LONGEST_TIMEOUT);
        }
    }

    /** Throws a {@link ParexException} that says what is wrong. */
    void verify(Call call) {
        if (call.options() == null) {
            throw refused(call, "the options are missing (null)");
        }
        verifyMemory(call);
        if (call.options().timeout() != null
                && (call.options().timeout().isNegative()
                        || call.options().timeout().isZero())) {
            throw refused(
                    call, "the timeout must be positive, not " + call.options().timeout());
        }
        if (call.options().timeout() != null) {
            requireCountable(call.options().timeout());
        }
        if (!call.isPointToPoint() && call.options().algorithm() != null) {
            selector.select(call.primitive(), size, call.bytes(), call.options().algorithm());
        }
        int nameBytes = call.options().name().getBytes(StandardCharsets.UTF_8).length;
        if (nameBytes > Limits.NAME_BYTES) {
            throw refused(call, "its name has " + nameBytes + " bytes of UTF-8, more than " + Limits.NAME_BYTES);
        }
        switch (call.primitive()) {
            case SEND, ISEND -> verifySend(call);
            case RECV, IRECV -> verifyReceive(call);
            case SEND_RECV -> {
                verifySend(call);
                verifyReceive(call);
            }
            case BROADCAST -> verifyBroadcast(call);
            case ALL_REDUCE -> verifyReduction(call);
            case BARRIER -> {}
            default -> throw refused(call, "not known to this version");
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

    private void verifyBroadcast(Call call) {
        verifyRank(call, "root", call.root());
        if ((call.input() != null) != (call.root() == rank)) {
            throw refused(call, "the root gives a tensor, the others take one");
        }
    }

    private void verifyReduction(Call call) {
        TensorStream input = call.input();
        TensorStream output = call.output();
        if (input.type() != output.type() || input.count() != output.count()) {
            throw refused(
                    call,
                    "input has " + input.count() + " " + input.type().label() + ", output " + output.count() + " "
                            + output.type().label());
        }
        if (!input.isWhole() || !output.isWhole()) {
            throw refused(call, "a reduction needs memory for the whole tensor of " + input.byteSize() + " bytes");
        }
        if (!call.isInPlace() && input.overlaps(output)) {
            throw refused(call, "input and output overlap without being the same memory");
        }
        if (call.op() == null) {
            throw refused(call, "the reduction is missing (null)");
        }
        Reductions.of(input.type(), call.op(), size);
    }

    private void verifyRank(Call call, String what, int value) {
        if (value < 0 || value >= size) {
            throw refused(call, what + " " + value + " is not a rank of the group, which has " + size);
        }
    }

    private ParexException refused(Call call, String what) {
        Primitive primitive = call.primitive();
        return ParexException.argument(primitive.label() + " on rank " + rank + " of group " + group + ": " + what);
    }
}

package io.parex.simulator;

import io.parex.protocol.Frame;
import java.util.HashMap;
import java.util.Map;

/** What one rank may send another by the word of that other, and whether it keeps to it. */
final class FlowWatch {
    /** Eager bytes that may be sent over a new link. */
    private static final long FIRST_CREDIT = 4 << 20;

    private record Step(long group, long call, int ordinal) {}

    private final Map<Step, Long> granted = new HashMap<>();
    private final Map<Long, Step> steps = new HashMap<>();
    private final Map<Long, Long> allowed = new HashMap<>();
    private long credit = FIRST_CREDIT;
    private long announced;

    /** The receiver says something. */
    void receiverSays(Frame frame) {
        switch (frame) {
            case Frame.Grant grant ->
                granted.merge(new Step(grant.group(), grant.call(), grant.ordinal()), grant.bytes(), Math::max);
            case Frame.Accept accept -> allowed.merge(accept.transfer(), accept.bytes(), Math::max);
            case Frame.Credit limits -> credit = Math.max(credit, limits.bytes());
            default -> {}
        }
    }

    /** The sender says something; answers what is wrong with it, else null. */
    String senderSays(Frame frame) {
        switch (frame) {
            case Frame.Open open -> {
                steps.put(open.transfer(), new Step(open.group(), open.call(), open.ordinal()));
                allowed.merge(open.transfer(), open.eager(), Math::max);
                announced += open.eager();
            }
            case Frame.Envelope envelope -> {
                allowed.merge(envelope.transfer(), envelope.eager(), Math::max);
                announced += envelope.eager();
            }
            case Frame.Data data -> {
                if (!allowed.containsKey(data.transfer())) {
                    // No rank speaks: tests of links alone send what nobody has announced.
                    return null;
                }
                long end = data.offset() + data.payload().segment().byteSize();
                if (!allowed.containsKey(data.transfer())) {
                    return null; // Of a test of the link itself, which announces nothing.
                }
                long limit = Math.max(
                        allowed.getOrDefault(data.transfer(), 0L),
                        granted.getOrDefault(steps.get(data.transfer()), 0L));
                return end > limit ? "data to byte " + end + ", granted are " + limit : null;
            }
            default -> {}
        }
        return announced > credit ? announced + " eager bytes, the credit is " + credit : null;
    }
}

package io.parex.simulator;

import io.parex.protocol.Frame;
import java.util.HashMap;
import java.util.Map;

/** What one rank may send another by the word of that other, and whether it keeps to it. */
final class FlowWatch {
    /** Eager bytes that may be sent over a new link. */
    private static final long FIRST_CREDIT = 4 << 20;

    private record Step(long group, long call, int ordinal) {}

    private final Map<Long, Step> steps = new HashMap<>();
    private final Map<Long, Long> eager = new HashMap<>();
    private final Word word;
    private long announced;

    /** Of one link; by the word of whatever process is at its other end. */
    FlowWatch(Word word) {
        this.word = word;
    }

    /** What the processes of one rank have allowed those of another to send. */
    static final class Word {
        private final Map<Step, Long> granted = new HashMap<>();
        private final Map<Long, Long> accepted = new HashMap<>();
        private long credit = FIRST_CREDIT;

        /** The receiver says something. */
        void says(Frame frame) {
            switch (frame) {
                case Frame.Grant grant ->
                    granted.merge(new Step(grant.group(), grant.call(), grant.ordinal()), grant.bytes(), Math::max);
                case Frame.Accept accept -> accepted.merge(accept.transfer(), accept.bytes(), Math::max);
                case Frame.Credit limits -> credit = Math.max(credit, limits.bytes());
                default -> {}
            }
        }
    }

    /** The sender says something; answers what is wrong with it, else null. */
    String senderSays(Frame frame) {
        switch (frame) {
            case Frame.Open open -> {
                steps.put(open.transfer(), new Step(open.group(), open.call(), open.ordinal()));
                eager.put(open.transfer(), open.eager());
                announced += open.eager();
            }
            case Frame.Envelope envelope -> {
                eager.put(envelope.transfer(), envelope.eager());
                announced += envelope.eager();
            }
            case Frame.Data data -> {
                if (!eager.containsKey(data.transfer())) {
                    // No rank speaks: tests of links alone send what nobody has announced.
                    return null;
                }
                long end = data.offset() + data.payload().segment().byteSize();
                long asked = Math.max(
                        word.accepted.getOrDefault(data.transfer(), 0L),
                        word.granted.getOrDefault(steps.get(data.transfer()), 0L));
                long limit = Math.max(eager.get(data.transfer()), asked);
                return end > limit ? "data to byte " + end + ", granted are " + limit : null;
            }
            default -> {}
        }
        return announced > word.credit ? announced + " eager bytes, the credit is " + word.credit : null;
    }
}

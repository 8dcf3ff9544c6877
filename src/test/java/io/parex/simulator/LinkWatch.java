package io.parex.simulator;

import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.protocol.link.LinkUser;
import io.parex.transport.Link;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stands outside the links and compares what is given to one end with what comes out of the other: control frames each
 * once and in order, bytes of a transfer without gaps or repetition.
 */
final class LinkWatch {
    /** What a link was given; one for each process at either end. */
    private record Sent(SimulatedRank from, int to, Deque<Frame> frames) {}

    private record Pair(int from, int to) {}

    private final Simulation simulation;
    private final List<Sent> sent = new ArrayList<>();
    private final Map<Pair, FlowWatch.Word> words = new HashMap<>();

    LinkWatch(Simulation simulation) {
        this.simulation = simulation;
    }

    /** What rank {@code from} may send {@code to}, by the word of that. */
    private FlowWatch.Word word(int from, int to) {
        return words.computeIfAbsent(new Pair(from, to), any -> new FlowWatch.Word());
    }

    /** A link that notes what it is given. */
    Link outgoing(SimulatedRank from, int to, Link link) {
        return new WatchedLink(from, to, link);
    }

    /** A user that compares what it is told. */
    LinkUser incoming(SimulatedRank rank, int peer, LinkUser user) {
        Map<Long, Long> ends = new HashMap<>();
        return new LinkUser() {
            private boolean closed;
            private Deque<Frame> expected;

            @Override
            public void onFrame(Frame frame) {
                if (expected == null && !(frame instanceof Frame.Data) && !isAnswer(frame)) {
                    expected = sender(peer, rank.rank(), frame);
                }
                String where = "rank " + rank.rank() + " is told by rank " + peer + ": " + frame;
                require(!closed, where + " after the end of the link");
                if (frame instanceof Frame.Data data) {
                    require(data.offset() == ends.getOrDefault(data.transfer(), 0L), where);
                    ends.put(
                            data.transfer(),
                            data.offset() + data.payload().segment().byteSize());
                } else if (isAnswer(frame)) {
                    // May be the link's own word, in place of the peer's, which then comes to nobody.
                    if (expected != null) {
                        expected.remove(frame);
                    }
                } else {
                    skipAnswers(expected);
                    require(frame.equals(expected.poll()), where + ", which is not what was sent next");
                }
                user.onFrame(simulation.sabotage().understood(peer, rank.rank(), frame));
                if (frame instanceof Frame.Data data && simulation.sabotage().repeats(data)) {
                    user.onFrame(frame);
                }
            }

            @Override
            public void onReturned(long transfer, long bytes) {
                user.onReturned(transfer, bytes);
            }

            @Override
            public void onClosed(String reason) {
                require(!closed, "rank " + rank.rank() + " hears twice that rank " + peer + " is gone");
                closed = true;
                user.onClosed(reason);
            }
        };
    }

    /** What was sent that begins with {@code first}: which processes a link joins shows only then. */
    private Deque<Frame> sender(int from, int to, Frame first) {
        return sent.reversed().stream()
                .filter(each -> each.from().rank() == from && each.to() == to)
                .map(Sent::frames)
                .filter(frames -> frames.stream()
                        .filter(each -> !isAnswer(each))
                        .findFirst()
                        .filter(first::equals)
                        .isPresent())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "rank " + to + " is told first by rank " + from + ", which did not say so: " + first));
    }

    /** Answers that came too late to matter are passed over by the link. */
    private static void skipAnswers(Deque<Frame> expected) {
        while (!expected.isEmpty() && isAnswer(expected.peek())) {
            expected.remove();
        }
    }

    /** Whether it is the answer to the end of a transfer. */
    private static boolean isAnswer(Frame frame) {
        return frame instanceof Frame.Released released && released.bytes() == Long.MAX_VALUE;
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }

    /** A link that notes what it is given. */
    private final class WatchedLink implements Link {
        private final SimulatedRank from;
        private final int to;
        private final Link link;
        private final Deque<Frame> frames = new ArrayDeque<>();
        private final FlowWatch flow;
        private boolean closed;

        WatchedLink(SimulatedRank from, int to, Link link) {
            this.from = from;
            this.to = to;
            this.link = link;
            flow = new FlowWatch(word(from.rank(), to));
            sent.add(new Sent(from, to, frames));
        }

        @Override
        public void send(Frame meant) {
            Frame frame = simulation.sabotage().said(from.rank(), meant);
            if (frame == null) {
                return;
            }
            if (!closed) {
                check(frame);
            }
            link.send(frame);
            if (frame instanceof Frame.Data data
                    && data.payload().isLent()
                    && simulation.sabotage().returnsEarly()) {
                long end = data.offset() + data.payload().segment().byteSize();
                from.execute(() -> from.receiver().onReturned(to, data.transfer(), end));
            }
        }

        private void check(Frame frame) {
            if (!(frame instanceof Frame.Data)) {
                frames.add(frame);
            }
            word(to, from.rank()).says(frame);
            String wrong = flow.senderSays(frame);
            require(wrong == null, "rank " + from.rank() + " sends rank " + to + " " + frame + ": " + wrong);
        }

        @Override
        public void lose(String reason) {
            link.lose(reason);
        }

        @Override
        public boolean isAnswering() {
            return link.isAnswering();
        }

        @Override
        public boolean isTo(Life life) {
            return link.isTo(life);
        }

        @Override
        public boolean isEnded() {
            return link.isEnded();
        }

        @Override
        public void close(String reason) {
            closed = true;
            link.close(reason);
        }
    }
}

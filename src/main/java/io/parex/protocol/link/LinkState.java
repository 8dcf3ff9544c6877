package io.parex.protocol.link;

import io.parex.protocol.Frame;
import io.parex.protocol.wire.WireException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * One side of the link to a peer, over however many connections it takes: every frame arrives once and in order, a
 * broken connection is followed by another that goes on from the exact byte. What carries the bytes is told to it by
 * {@link #attach} and {@link #detached}. Owner loop only.
 *
 * <p>Order: control frames in the order sent, data of one transfer in the order sent; control overtakes data, except
 * {@link Frame.Leave} and the close, which come last.
 */
public final class LinkState {
    private final Timing timing;
    private final LinkUser user;
    private final Outbox outbox = new Outbox(LinkLimits.FRAME_PAYLOAD);
    private final SentFrames sent = new SentFrames();
    private final Inbound inbound;
    private final FrameOutput output = new FrameOutput();
    private final Acknowledger acknowledger;
    private final Withdrawals withdrawals;
    private final Returns returns;

    private Carrier carrier;
    private boolean resumed;
    private int resumeAt;
    private int references;
    private boolean pumpScheduled;
    private boolean inTurn;
    private boolean closing;
    private boolean lost;
    private boolean over;
    private String goneReason;
    private boolean goneTold;
    private long progress;

    /** A link that has never been connected. */
    public LinkState(Timing timing, LinkUser user) {
        this.timing = timing;
        this.user = user;
        this.acknowledger = new Acknowledger(timing, this::acknowledge);
        this.withdrawals = new Withdrawals(
                timing, transfer -> user.onFrame(new Frame.Released(transfer, Long.MAX_VALUE)), this::cut);
        this.returns = new Returns(user);
        this.inbound = new Inbound(new Arrivals());
    }

    /** Sends a frame, now or when there is a connection; after {@link #close} or the end of the link, drops it. */
    public void send(Frame frame) {
        if (closing || over || lost || goneReason != null && frame instanceof Frame.Data) {
            if (frame instanceof Frame.Data data) {
                data.payload().release();
            }
            return;
        }
        if (frame instanceof Frame.Withdraw withdraw && goneReason == null) {
            withdraw(withdraw.transfer());
        }
        outbox.add(frame);
        pumpSoon();
    }

    private void withdraw(long transfer) {
        outbox.drop(transfer);
        int[] held = new int[1];
        Consumer<Outgoing> count = frame -> {
            if (frame.isData() && frame.transfer() == transfer) {
                frame.makeVoid();
                held[0] += frame.references();
            }
        };
        sent.each(count);
        returns.each(count);
        withdrawals.begin(transfer, held[0]);
    }

    /** The last that this side says; frames sent before arrive before it. Idempotent. */
    public void close(String reason) {
        if (!closing && !over && !lost) {
            closing = true;
            outbox.addClose(reason);
            pumpSoon();
        }
    }

    /** Whether the other side has everything that was sent, up to the close. */
    public boolean isFlushed() {
        return lost || outbox.isEmpty() && sent.isEmpty();
    }

    /** Whether the peer has closed the link or is lost, so that there is nothing to connect to. */
    public boolean isGone() {
        return goneReason != null;
    }

    /** Whether the user has been told that the link has ended. */
    boolean isEnded() {
        return goneTold;
    }

    /** Where the link is, as far as it is known here. */
    LinkPhase phase() {
        if (goneReason != null) {
            return LinkPhase.ENDED;
        } else if (closing && !isFlushed()) {
            return LinkPhase.CLOSING;
        } else if (carrier == null) {
            return LinkPhase.BROKEN;
        } else if (!resumed) {
            return LinkPhase.RESUMING;
        }
        return isFlushed() ? LinkPhase.IDLE : LinkPhase.BUSY;
    }

    /** Grows whenever a byte has been consumed for the first time, here or by the peer. */
    long progress() {
        return progress;
    }

    /**
     * A connection to the same incarnation of the peer, after the handshake, and after the one before was
     * {@link #detached}.
     */
    public void attach(Carrier connection) {
        carrier = connection;
        resumed = false;
        inbound.newConnection();
        sent.rewind();
        carrier.write(output.resume(inbound.position()));
        carrier.flush();
    }

    /** The connection is gone and refers to no memory any more. */
    public void detached() {
        inbound.stop();
        carrier = null;
        resumed = false;
        acknowledger.stop();
        over |= goneReason != null;
        finishIfFree();
    }

    /** Bytes of the connection, valid during the call. A fault of them ends the connection, not the link. */
    public void arrived(MemorySegment bytes) {
        inTurn = true;
        try {
            inbound.feed(bytes);
        } finally {
            inTurn = false;
        }
    }

    /** The connection has no more bytes for now: what they led to is sent. */
    public void turnOver() {
        pump();
        if (carrier != null) {
            acknowledger.remember();
        }
    }

    /** The connection takes more bytes. */
    public void writable() {
        pump();
    }

    /** Asks the other side for a sign of life. */
    void ping() {
        if (carrier != null) {
            carrier.write(output.ping(timing.nanoTime(), inbound.position()));
            carrier.flush();
        }
    }

    /** Whether a broken connection has to be followed by another. */
    boolean needsConnection() {
        return goneReason == null && !(closing && isFlushed());
    }

    /** The peer is lost; {@link LinkUser#onClosed} follows as soon as the connection has let go. */
    public void lost(String reason) {
        if (!lost) {
            lost = true;
            over = carrier == null;
            acknowledger.stop();
            outbox.dropAll();
            gone(reason);
            cut();
        }
    }

    private void cut() {
        if (carrier != null) {
            inbound.stop();
            carrier.close();
        }
    }

    /** The peer takes no more data. */
    private void gone(String reason) {
        if (goneReason != null) {
            return;
        }
        goneReason = reason;
        // That the link has ended says the same of all of them.
        withdrawals.stop();
        outbox.dropData();
        sent.each(Outgoing::makeVoid);
        if (references > 0) {
            timing.schedule(LinkLimits.WITHDRAW_WITHIN, () -> {
                if (references > 0) {
                    cut();
                }
            });
        }
        finishIfFree();
    }

    private void finishIfFree() {
        if (references > 0) {
            return;
        }
        if (over) {
            // Nobody will acknowledge anything any more.
            outbox.dropAll();
            sent.clear();
        }
        if (goneReason != null && !goneTold) {
            goneTold = true;
            user.onClosed(goneReason);
        }
    }

    private void pumpSoon() {
        if (!inTurn && !pumpScheduled && carrier != null) {
            pumpScheduled = true;
            timing.execute(() -> {
                pumpScheduled = false;
                pump();
            });
        }
    }

    private void pump() {
        if (carrier == null) {
            return;
        }
        boolean wrote = false;
        while (resumed && carrier.isWritable()) {
            Outgoing frame = next();
            if (frame == null) {
                break;
            }
            write(frame);
            wrote = true;
        }
        if (acknowledger.isDue()) {
            acknowledge();
        } else if (wrote) {
            carrier.flush();
        }
    }

    private Outgoing next() {
        Outgoing frame = sent.nextAgain();
        if (frame != null) {
            return frame;
        }
        if (outbox.isEmpty() || !outbox.isControlNext() && sent.bytes() >= LinkLimits.WINDOW) {
            return null;
        }
        frame = outbox.next();
        sent.add(frame);
        return frame;
    }

    private void write(Outgoing frame) {
        // Only the first frame after a new connection can have been consumed in part.
        int start = resumeAt;
        resumeAt = 0;
        boolean copied = !frame.isVoid() && frame.length() - start <= LinkLimits.COPY_BELOW;
        carrier.write(output.frame(frame, start, copied, inbound.position()));
        acknowledger.told();
        frame.written();
        if (frame.isData() && !frame.isVoid() && !copied) {
            references++;
            frame.referred();
            carrier.write(frame.payload().asSlice(start), () -> letGo(frame));
        }
    }

    private void letGo(Outgoing frame) {
        references--;
        frame.letGo();
        returns.flush();
        withdrawals.letGo(frame.transfer());
        finishIfFree();
    }

    private void acknowledge() {
        if (carrier != null) {
            carrier.write(output.acknowledgement(inbound.position()));
            acknowledger.told();
            carrier.flush();
        }
    }

    /** What the bytes of the connection say. */
    private final class Arrivals implements Inbound.Listener {
        @Override
        public void resume(Position position) {
            if (!sent.isPossible(position)) {
                throw broken("the peer goes on from frame " + position.frames() + " byte " + position.bytes()
                        + ", but what can be sent again are the frames from " + sent.oldest() + " to "
                        + (sent.next() - 1));
            }
            acknowledged(position.frames());
            resumeAt = position.bytes();
            resumed = true;
        }

        @Override
        public void acknowledged(long frames) {
            if (frames >= sent.next()) {
                throw broken("frame " + frames + " is acknowledged, only " + (sent.next() - 1) + " were sent");
            }
            sent.acknowledge(frames, this::acknowledgedFirst);
            returns.flush();
        }

        private void acknowledgedFirst(Outgoing frame) {
            progress++;
            returns.add(frame);
        }

        @Override
        public void consumed(long bytes, boolean acknowledgeNow) {
            progress++;
            acknowledger.consumed(bytes);
            if (acknowledgeNow) {
                acknowledger.wanted();
            }
        }

        @Override
        public void frame(Frame frame) {
            if (frame instanceof Frame.Released released
                    && released.bytes() == Long.MAX_VALUE
                    && !withdrawals.answered(released.transfer())) {
                return;
            }
            user.onFrame(frame);
        }

        @Override
        public void pinged(long token) {
            carrier.write(output.pong(token, inbound.position()));
            acknowledger.told();
            carrier.flush();
        }

        @Override
        public void closed(String reason) {
            acknowledger.wanted();
            gone(reason);
        }
    }

    private static WireException broken(String what) {
        return new WireException(WireException.Kind.MALFORMED, what);
    }
}

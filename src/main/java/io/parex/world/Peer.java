package io.parex.world;

import io.parex.protocol.EagerCredit;
import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.tensor.BufferPool;
import io.parex.transport.Link;
import io.parex.transport.Network;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * One peer as this rank sees it: the link to it, the transfers both ways, and what may be sent without being asked for.
 * Owner loop only, but for the counters.
 */
final class Peer {
    private final int rank;
    private final Link link;
    private final BufferPool pool;
    private final BufferPool arrivals;
    private final EagerCredit credit = new EagerCredit(Limits.EAGER_POOL_BYTES, Limits.EAGER_POOL_ENVELOPES);
    private final Map<Long, OutTransfer> out = new HashMap<>();
    private final Map<Long, InTransfer> in = new HashMap<>();
    private final Deque<BooleanSupplier> waitingForCredit = new ArrayDeque<>();
    private long lookAhead = Limits.LOOK_AHEAD_POOL_BYTES;
    private long nextTransfer;
    private boolean closed;
    private boolean replaced;

    private volatile long bytesIn;
    private volatile long bytesOut;
    private volatile long messagesOut;

    /**
     * The peer as its process is now.
     *
     * @param before the peer as its last process, whose traffic counts on; null if it is the first
     */
    Peer(int rank, Network network, Peer before) {
        this.rank = rank;
        if (before != null) {
            bytesIn = before.bytesIn;
            bytesOut = before.bytesOut;
            messagesOut = before.messagesOut;
        }
        this.link = network.link(rank);
        this.closed = link.isEnded();
        this.pool = network.pool();
        this.arrivals = network.arrivals();
    }

    int rank() {
        return rank;
    }

    /** Whether the link has ended. */
    boolean isClosed() {
        return closed;
    }

    BufferPool pool() {
        return pool;
    }

    /** Memory for what has arrived and cannot be consumed yet. */
    BufferPool arrivals() {
        return arrivals;
    }

    void send(Frame frame) {
        link.send(frame);
    }

    /**
     * Registers a transfer to the peer; the caller announces it.
     *
     * @param confirmed whether it is done only when the receiver has said that it took everything
     */
    OutTransfer newOut(long bytes, long eager, ByteSpace source, boolean confirmed, Runnable onProgress) {
        OutTransfer transfer = new OutTransfer(this, nextTransfer++, bytes, eager, source, confirmed, onProgress);
        messagesOut++;
        if (bytes > 0) {
            out.put(transfer.id(), transfer);
        }
        return transfer;
    }

    /**
     * The eager part of a transfer of {@code bytes} bytes: all of it, if it is small and there is credit, else nothing.
     */
    long takeEager(long bytes) {
        return bytes <= Limits.EAGER_BYTES && credit.takeBytes(bytes) ? bytes : 0;
    }

    /** Runs {@code offer} as soon as one more message may be sent, in the order of the calls here. */
    void whenEnvelopeAllowed(BooleanSupplier offer) {
        waitingForCredit.add(offer);
        offerWaiting();
    }

    private void offerWaiting() {
        // An offer that answers false was withdrawn meanwhile and used no credit.
        while (!waitingForCredit.isEmpty() && credit.takeEnvelope()) {
            boolean used = false;
            while (!used && !waitingForCredit.isEmpty()) {
                used = waitingForCredit.remove().getAsBoolean();
            }
            if (!used) {
                credit.giveBackEnvelope();
            }
        }
    }

    /** Takes at most {@code bytes} of what the peer may send before this rank can consume it. */
    long takeLookAhead(long bytes) {
        long taken = Math.min(bytes, lookAhead);
        lookAhead -= taken;
        return taken;
    }

    void returnLookAhead(long bytes) {
        lookAhead += bytes;
    }

    /** Registers a transfer from the peer, or gives it if it was registered when it was announced first. */
    InTransfer incoming(long id, long bytes, long eager) {
        return bytes == 0
                ? new InTransfer(this, id, bytes, eager)
                : in.computeIfAbsent(id, any -> new InTransfer(this, id, bytes, eager));
    }

    void onData(Frame.Data data) {
        long size = data.payload().segment().byteSize();
        bytesIn += size;
        InTransfer transfer = in.get(data.transfer());
        if (transfer == null) {
            data.payload().release();
        } else {
            transfer.arrive(data.offset(), data.payload());
        }
    }

    void onReleased(Frame.Released released) {
        OutTransfer transfer = out.get(released.transfer());
        if (transfer != null) {
            transfer.acknowledge(released.bytes());
        }
    }

    void onReturned(long id, long bytes) {
        OutTransfer transfer = out.get(id);
        if (transfer != null) {
            transfer.returned(bytes);
        }
    }

    void onCredit(Frame.Credit limits) {
        credit.limits(limits.bytes(), limits.envelopes());
        offerWaiting();
    }

    OutTransfer out(long id) {
        return out.get(id);
    }

    InTransfer in(long id) {
        return in.get(id);
    }

    void forgetOut(long id) {
        out.remove(id);
    }

    void forgetIn(long id) {
        in.remove(id);
    }

    /** Eager bytes of the peer have been consumed or dropped. */
    void returnEager(long bytes) {
        if (bytes > 0) {
            credit.consumedBytes(bytes);
            tellCredit();
        }
    }

    /** A message of the peer has been matched or dropped. */
    void returnEnvelope() {
        credit.consumedEnvelope();
        tellCredit();
    }

    private void tellCredit() {
        Frame.Credit due = credit.due();
        if (due != null) {
            send(due);
        }
    }

    /** The peer is gone and no longer refers to this rank's memory: what is lent counts as returned. */
    void closedByPeer() {
        closed = true;
        for (OutTransfer transfer : out.values().toArray(OutTransfer[]::new)) {
            transfer.lost();
        }
    }

    /** The peer is lost, as others have found. */
    void lose(String reason) {
        link.lose(reason);
    }

    /** Whether there is a connection to the process. */
    boolean isAnswering() {
        return link.isAnswering();
    }

    /** Whether it is the process of this life, as far as is known. */
    boolean isTo(Life life) {
        return link.isTo(life);
    }

    /** Whether the rank was started again: when the link to this process of it has ended, there is another. */
    void replaced(boolean byAnother) {
        replaced = byAnother;
    }

    boolean isReplaced() {
        return replaced;
    }

    /** This rank ends: lets go of the peer's memory, then says so. */
    void close(String reason) {
        for (InTransfer transfer : in.values().toArray(InTransfer[]::new)) {
            transfer.drop();
        }
        link.close(reason);
    }

    /** Whether anything of this rank is still lent to the peer. */
    boolean holdsLent() {
        return !closed && out.values().stream().anyMatch(OutTransfer::isLent);
    }

    void countOut(long bytes) {
        bytesOut += bytes;
    }

    /** Any thread. */
    PeerStats stats() {
        return new PeerStats(rank, !closed && link.isConnected(), bytesIn, bytesOut, messagesOut);
    }
}

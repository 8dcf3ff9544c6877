package io.parex.protocol.link;

import io.parex.protocol.View;
import io.parex.protocol.wire.Hello;
import io.parex.protocol.wire.Reject;
import io.parex.protocol.wire.RejectReason;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Two ranks that dial each other over a network that a test moves by hand. */
final class PeerPair {
    static final long MILLI = 1_000_000;
    static final long SECOND = 1000 * MILLI;
    static final LinkPolicy POLICY = new LinkPolicy(60 * SECOND, 5 * SECOND);

    final ManualTiming timing = new ManualTiming();
    final Peer low = new Peer(3, 100);
    final Peer high = new Peer(8, 200);
    final List<Dial> dials = new ArrayList<>();

    /** A rank with its link to the other. */
    final class Peer {
        final int rank;
        long nonce;
        RecordingUser user = new RecordingUser();
        PeerLink link;
        final List<HandCarrier> carriers = new ArrayList<>();

        Peer(int rank, long nonce) {
            this.rank = rank;
            this.nonce = nonce;
            restart(nonce);
        }

        /** The rank's process is another. */
        void restart(long newNonce) {
            nonce = newNonce;
            user = new RecordingUser();
            link = new PeerLink(
                    rank,
                    11 - rank,
                    timing,
                    user,
                    (dialling, number) -> dials.add(new Dial(this, dialling, number)),
                    POLICY);
        }

        Peer other() {
            return this == low ? high : low;
        }

        Hello hello(long number) {
            return new Hello(0, 10, rank, 11 - rank, 1, nonce, number, 0, "test", "", 0);
        }

        /** Connections that have been started and not closed. */
        long open() {
            return carriers.stream()
                    .filter(each -> each.isStarted() && !each.isClosed())
                    .count();
        }

        HandCarrier carrier() {
            return carriers.getLast();
        }

        void ended(HandCarrier carrier) {
            carrier.end();
            link.detached(carrier, "connection reset");
        }
    }

    /** A dial that has not ended. */
    final class Dial {
        final Peer from;
        final PeerLink dialling;
        final long number;

        Dial(Peer from, PeerLink dialling, long number) {
            this.from = from;
            this.dialling = dialling;
            this.number = number;
        }

        /** The greeting arrives; gives the answer, to be delivered when it is run. */
        Runnable offer() {
            dials.remove(this);
            Reject reject = from.other().link.offered(from.hello(number));
            if (reject != null) {
                return () -> dialling.dialRejected(reject);
            }
            HandCarrier mine = new HandCarrier();
            HandCarrier hers = new HandCarrier();
            mine.joinedTo(hers);
            from.other().carriers.add(hers);
            from.other().link.accepted(hers, from.hello(number));
            return () -> {
                from.carriers.add(mine);
                dialling.dialled(mine, from.other().hello(number));
            };
        }

        void connect() {
            offer().run();
        }

        void fail(boolean refused) {
            dials.remove(this);
            dialling.dialFailed(refused, refused ? "connection refused" : "no answer");
        }

        void reject(RejectReason reason, long number) {
            dials.remove(this);
            dialling.dialRejected(new Reject(reason, number, 0, View.NONE, "go away"));
        }
    }

    Dial dial() {
        timing.run();
        return dials.getFirst();
    }

    /** Connects, from the lower rank. */
    static PeerPair connected() {
        PeerPair pair = new PeerPair();
        pair.low.link.connect();
        pair.timing.pass(MILLI);
        pair.dial().connect();
        pair.flow();
        return pair;
    }

    /** Moves bytes over all connections until they are quiet; the ends of closed ones are told. */
    void flow() {
        timing.run();
        boolean moved = true;
        while (moved) {
            moved = flow(low) | flow(high);
            timing.run();
        }
    }

    private boolean flow(Peer peer) {
        boolean moved = false;
        for (HandCarrier carrier : List.copyOf(peer.carriers)) {
            moved |= flow(peer, carrier);
        }
        return moved;
    }

    private boolean flow(Peer peer, HandCarrier carrier) {
        HandCarrier end = carrier.other();
        if (carrier.isClosed() || end.isClosed()) {
            peer.carriers.remove(carrier);
            peer.ended(carrier);
            if (peer.other().carriers.remove(end)) {
                peer.other().ended(end);
            }
            return true;
        }
        if (carrier.left() == 0 || !peer.other().carriers.contains(end) || !end.isStarted()) {
            return false;
        }
        peer.other().link.arrived(end, MemorySegment.ofArray(carrier.takeAll()));
        peer.other().link.turnOver(end);
        return true;
    }

    /** Lets time pass in steps, in each of which everything arrives, and dials become what {@code dialled} says. */
    void pass(long nanos, Runnable dialled) {
        for (long past = 0; past < nanos; past += 5 * MILLI) {
            timing.pass(5 * MILLI);
            flow();
            if (!dials.isEmpty()) {
                dialled.run();
            }
        }
    }

    void passUntil(BooleanSupplier condition, Runnable dialled) {
        for (int i = 0; i < 20_000 && !condition.getAsBoolean(); i++) {
            pass(5 * MILLI, dialled);
        }
    }
}

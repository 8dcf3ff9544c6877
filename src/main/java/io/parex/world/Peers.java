package io.parex.world;

import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.protocol.Membership;
import io.parex.transport.Network;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The peers of a rank, each as the process that it is now: when a rank was started again and the link to the process
 * before has ended, there is another. Owner loop only, but for what says otherwise.
 */
final class Peers {
    private final RankCore core;
    private final Network network;
    private final AtomicReferenceArray<Peer> peers;
    private final IntConsumer onRenewed;

    /**
     * No peers yet: links are made when first needed.
     *
     * @param onRenewed told of a rank to whose new process there is a link now, which has not heard what was said
     *     before
     */
    Peers(RankCore core, Network network, int size, IntConsumer onRenewed) {
        this.core = core;
        this.network = network;
        this.peers = new AtomicReferenceArray<>(size);
        this.onRenewed = onRenewed;
    }

    /** The peer of that rank in the world. */
    Peer peer(int rank) {
        Peer peer = peers.get(rank);
        if (peer == null) {
            peer = new Peer(rank, network, null);
            peers.set(rank, peer);
        }
        return peer;
    }

    /** All to which there is or was a link. Any thread. */
    Stream<Peer> all() {
        return IntStream.range(0, peers.length()).mapToObj(peers::get).filter(Objects::nonNull);
    }

    /** Traffic per peer. Any thread. */
    List<PeerStats> stats() {
        return all().map(Peer::stats).toList();
    }

    /** Whether there is a connection to a rank. */
    boolean isAnswering(int rank) {
        Peer peer = peers.get(rank);
        return peer != null && peer.isAnswering();
    }

    private Membership membership() {
        return network.membership();
    }

    /**
     * A rank was started again: the link to its process before ends, or, if that answers, it is told.
     *
     * @param life of the new process
     */
    void replaced(Life life) {
        Peer peer = peers.get(life.rank());
        if (peer == null) {
            return;
        }
        peer.replaced(true);
        if (peer.isClosed()) {
            renew(peer);
        } else if (peer.isAnswering()) {
            confront(life);
        } else {
            peer.lose("it was started again");
        }
    }

    /** Whether there is a connection to this process, whichever life of its rank it was before; it is the peer then. */
    boolean isConfirmed(Life life) {
        Peer peer = peers.get(life.rank());
        if (peer == null || !peer.isAnswering() || !peer.isTo(life)) {
            return false;
        }
        peer.replaced(false);
        return true;
    }

    /**
     * Tells the process to which there is a connection that there is another as its rank. One that has joined ends; one
     * that begins takes a later generation if the other is lost. If nothing of that happens the connection is given up.
     */
    void confront(Life other) {
        Peer peer = peers.get(other.rank());
        if (peer == null || !peer.isAnswering() || peer.isTo(other)) {
            return;
        }
        peer.send(new Frame.Lives(List.of(other)));
        if (membership().isLost(other.rank())) {
            peer.send(new Frame.Lost(other, core.losses().reason(other.rank())));
        }
        core.loop().schedule(Limits.CONFRONTED_NANOS, () -> {
            if (!core.isClosed() && !peer.isClosed() && !peer.isTo(membership().life(other.rank()))) {
                peer.lose("another process is this rank");
            }
        });
    }

    /** A process is lost: nothing more is said to it. */
    void drop(Life life, String reason) {
        Peer peer = peers.get(life.rank());
        if (peer != null && peer.isTo(life)) {
            peer.lose(reason);
        } else {
            confront(life);
        }
    }

    /** Whether a link led to a process that its rank was before. */
    boolean isFormer(Peer peer) {
        return peer.isReplaced() || !peer.isTo(membership().life(peer.rank()));
    }

    /** The link to a former process has ended. */
    void renew(Peer before) {
        if (!membership().isLost(before.rank())) {
            peers.set(before.rank(), new Peer(before.rank(), network, before));
            onRenewed.accept(before.rank());
        }
    }

    /** Whether what is said to a rank goes to the process that it is now, not to one that it was. */
    private boolean reaches(int rank) {
        Peer peer = peers.get(rank);
        return peer == null || !peer.isClosed() && peer.isTo(membership().life(rank));
    }

    /** Members of a group whose link leads to a process of before, whose connection has not ended yet. */
    List<Integer> unreached(int[] members) {
        return IntStream.range(0, members.length)
                .filter(member -> !reaches(members[member]))
                .boxed()
                .toList();
    }
}

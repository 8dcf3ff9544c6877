package io.parex.protocol.link;

import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.protocol.Membership;
import io.parex.protocol.View;
import io.parex.protocol.wire.Hello;
import io.parex.protocol.wire.Reject;
import io.parex.protocol.wire.RejectReason;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The links of one rank to ranks of other processes, one for each peer: always that to the process that is the peer
 * now. Decides by the view of the rank whether a process that greets is that one, a later start of the same rank, or
 * somebody who has been replaced. A later start is taken when the process before it does not answer on its link any
 * more; until then it is refused as a duplicate. A process that is refused so, and that nobody has taken yet, greets
 * only those who refuse it: others may have been started since and know of neither. Owner loop only, but for what says
 * otherwise.
 */
public final class Links {
    private static final LinkPolicy PROBING =
            new LinkPolicy(Duration.ofDays(365).toNanos(), Duration.ofDays(365).toNanos());

    /** How long it counts that a peer has refused this process as a duplicate; it is asked again sooner. */
    private static final long REFUSED_NANOS = Duration.ofSeconds(3).toNanos();

    private static final LinkUser NOBODY = new LinkUser() {
        @Override
        public void onFrame(Frame frame) {}

        @Override
        public void onReturned(long transfer, long bytes) {}

        @Override
        public void onClosed(String reason) {}
    };

    private final int self;
    private final Timing timing;
    private final Membership view;
    private final LinkOwner owner;
    private final Dialler dialler;
    private final LinkPolicy policy;
    private final Map<Integer, PeerLink> links = new ConcurrentSkipListMap<>();
    private final Map<Integer, PeerLink> probes = new HashMap<>();

    /** Peers that have refused this process as a duplicate, and when they did last. */
    private final Map<Integer, Long> refusers = new HashMap<>();

    /**
     * No links yet.
     *
     * @param self rank whose links they are
     * @param view what the rank knows of lives, itself included; changed by the owner
     */
    public Links(int self, Timing timing, Membership view, LinkOwner owner, Dialler dialler, LinkPolicy policy) {
        this.self = self;
        this.timing = timing;
        this.view = view;
        this.owner = owner;
        this.dialler = dialler;
        this.policy = policy;
    }

    /** The link to a peer, made when first asked for, and made anew when a later start of the peer is known. */
    public PeerLink link(int peer) {
        PeerLink link = links.get(peer);
        if (link != null && link.isEnded() && isSucceeded(link)) {
            link.lose("a later start of rank " + peer + " takes its place");
            link = null;
        }
        if (link == null) {
            endProbe(peer);
            link = new PeerLink(self, peer, timing, owner.user(peer), this::dial, policy);
            links.put(peer, link);
        }
        return link;
    }

    private void dial(PeerLink link, long connection) {
        if (isDuplicate() && !refusers.containsKey(link.peer())) {
            String cause =
                    "not asked, for ranks " + List.copyOf(refusers.keySet()) + " know another process as rank " + self;
            timing.execute(() -> link.dialFailed(false, cause));
        } else {
            dialler.dial(link, connection);
        }
    }

    /** Whether peers know another process as this rank and none has taken this one. */
    private boolean isDuplicate() {
        refusers.values().removeIf(nanos -> timing.nanoTime() - nanos >= REFUSED_NANOS);
        return !refusers.isEmpty() && links.values().stream().allMatch(link -> link.connections() == 0);
    }

    /**
     * Dials a peer whose last process is lost, once a second, until a later start of it is known. What answers may be
     * that, or say that it is this rank that was lost, such as after a time without network.
     */
    public void probe(int peer) {
        if (!probes.containsKey(peer)) {
            PeerLink probe = new PeerLink(self, peer, timing, NOBODY, dialler, PROBING);
            probes.put(peer, probe);
            probe.connect();
        }
    }

    private void endProbe(int peer) {
        PeerLink probe = probes.remove(peer);
        if (probe != null) {
            probe.lose("no longer looked for");
        }
    }

    /** Looks for no peer any more. */
    public void endProbes() {
        List.copyOf(probes.keySet()).forEach(this::endProbe);
    }

    private boolean isSucceeded(PeerLink link) {
        int peer = link.peer();
        boolean another = link.connections() == 0 || !link.isTo(view.life(peer).nonce());
        return another && view.knows(peer) && !view.isLost(peer);
    }

    /** All links, in the order of the peers. Any thread. */
    public Collection<PeerLink> all() {
        return List.copyOf(links.values());
    }

    private boolean isAnswering(int peer) {
        PeerLink link = links.get(peer);
        return link != null && link.isAnswering();
    }

    /**
     * Whether to take a connection that a peer has dialled; on the way the owner learns of a life that is news.
     *
     * @return null to take it: {@link #accepted} follows; else what to answer
     */
    public Reject offered(Hello hello) {
        Life life = hello.life();
        if (isDuplicate()) {
            return reject(RejectReason.NOT_READY, life, "another process is rank " + self + " and answers others");
        }
        Reject refusal = refusal(life);
        if (refusal != null) {
            return refusal;
        }
        meet(life);
        PeerLink link = link(life.rank());
        if (!link.isTo(life.nonce())) {
            return reject(RejectReason.BUSY, life, "the link to the process before it has not ended yet");
        }
        Reject busy = link.offered(hello);
        return busy == null ? null : busy.by(view.life(self));
    }

    private Reject refusal(Life life) {
        int peer = life.rank();
        if (!view.knows(peer)) {
            return null;
        }
        Life known = view.life(peer);
        if (known.isSameProcess(life)) {
            return view.isLost(peer)
                    ? reject(RejectReason.LOST, life, "rank " + self + " has lost rank " + peer + " as this process")
                    : null;
        }
        if (isAnswering(peer)) {
            String place = known.address().isEmpty() ? links.get(peer).farEnd() : known.address();
            return reject(
                    RejectReason.DUPLICATE_RANK,
                    life,
                    "another process is rank " + peer + " and answers (generation " + known.generation() + ")"
                            + (place.isEmpty() ? "" : " at " + place));
        }
        if (life.generation() <= known.generation()) {
            return reject(
                    RejectReason.STALE,
                    life,
                    "rank " + peer + " was started before or since as another process (generation " + known.generation()
                            + ", this one says " + life.generation() + ")");
        }
        return null;
    }

    private Reject reject(RejectReason reason, Life life, String text) {
        View mine = reason == RejectReason.LOST ? view.view() : View.NONE;
        return new Reject(reason, 0, view.life(life.rank()).generation(), mine, text).by(view.life(self));
    }

    private void meet(Life life) {
        if (!view.knows(life.rank()) || life.isAfter(view.life(life.rank()))) {
            owner.met(life);
        }
    }

    /** A connection that {@link #offered} has taken. */
    public void accepted(Carrier carrier, Hello hello) {
        links.get(hello.from()).accepted(carrier, hello);
    }

    /**
     * Whether the process that answers a dial is a former start of the peer, or one that does not know yet that there
     * was another before it; on the way the owner learns of a life that is news.
     *
     * @return null if it is neither: the link is told of the connection; else why there is none
     */
    public String answered(PeerLink link, Hello answer) {
        Life life = answer.life();
        Life known = view.life(life.rank());
        if (probes.get(link.peer()) == link) {
            return found(life, known);
        }
        if (known.isSameProcess(life) || life.generation() > known.generation()) {
            meet(life);
            return null;
        }
        // Of the same generation in place of one to which there was a connection: that is gone, as the link will find.
        boolean isReplacement = life.generation() == known.generation() && link.connections() > 0;
        return isReplacement
                ? null
                : "another process answers (generation " + life.generation() + ", known is generation "
                        + known.generation() + ")";
    }

    /** Nothing goes over the connection of a probe: to a later start there is a link of its own. */
    private String found(Life life, Life known) {
        if (life.generation() > known.generation() && !life.isSameProcess(known)) {
            endProbe(life.rank());
            meet(life);
        }
        return "generation " + life.generation() + " answers, known is generation " + known.generation();
    }

    /**
     * A peer has said why it does not take a connection, which may be all that this rank has to know. What a process
     * says that is not the peer any more counts for nothing.
     *
     * @return whether the peer has said it; if not, the dial goes on
     */
    public boolean rejected(PeerLink link, Reject reject) {
        if (reject.isByFormer(view.life(link.peer()))) {
            return false;
        }
        boolean isProbe = probes.get(link.peer()) == link;
        if (!isProbe && reject.reason() == RejectReason.DUPLICATE_RANK) {
            refusers.put(link.peer(), timing.nanoTime());
        } else if (!isProbe) {
            refusers.remove(link.peer());
        }
        // Also of a dial that began before the peer was lost.
        if (!view.isLost(link.peer()) || givesWay(reject)) {
            hear(reject);
        }
        if (isProbe) {
            link.dialFailed(false, reject.text());
        } else {
            link.dialRejected(reject);
        }
        return true;
    }

    /** Two that have lost each other both say so: one has to give way, of two equal views that without rank 0. */
    private boolean givesWay(Reject reject) {
        View mine = view.view();
        return reject.reason() != RejectReason.LOST
                || reject.view().outweighs(mine)
                || reject.view().equals(mine) && view.isLost(0);
    }

    private void hear(Reject reject) {
        switch (reject.reason()) {
            case STALE -> {
                if (reject.generation() >= view.life(self).generation()) {
                    owner.stale(reject.generation(), reject.text());
                }
            }
            case DUPLICATE_RANK -> {
                if (reject.generation() > view.life(self).generation()) {
                    owner.replaced(reject.text());
                }
            }
            case LOST -> owner.lost(reject.text());
            default -> {}
        }
    }
}

package io.parex.transport.tcp;

import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.protocol.link.LinkUser;
import io.parex.protocol.link.PeerLink;
import io.parex.tensor.BufferPool;
import io.parex.transport.ConnectionStats;
import io.parex.transport.Link;
import io.parex.transport.LocalLink;
import io.parex.transport.Network;
import io.parex.transport.OwnerLoop;
import io.parex.transport.RemoteLink;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** What one rank of this process sees of the fabric. */
final class TcpPort implements Network {
    private final int rank;
    private final TcpFabric fabric;
    private final TcpDialler dialler;
    private final long nonce = new SecureRandom().nextLong();
    private final Map<Integer, PeerLink> links = new ConcurrentSkipListMap<>();
    private volatile Link.Receiver receiver;

    TcpPort(int rank, TcpFabric fabric, TcpDialler dialler) {
        this.rank = rank;
        this.fabric = fabric;
        this.dialler = dialler;
    }

    int rank() {
        return rank;
    }

    /** This life of the rank. */
    Life life() {
        return new Life(rank, 1, nonce);
    }

    /** Tells this life of the rank from every other. */
    long nonce() {
        return nonce;
    }

    @Override
    public OwnerLoop loop() {
        return fabric.loop();
    }

    @Override
    public BufferPool pool() {
        return fabric.pool();
    }

    @Override
    public BufferPool arrivals() {
        return fabric.arrivals();
    }

    @Override
    public ConnectionStats connections() {
        return new ConnectionStats(resumes(), fabric.refusedConnections());
    }

    @Override
    public List<Life> lives() {
        return fabric.lives();
    }

    @Override
    public String trouble(int peer) {
        PeerLink link = links.get(peer);
        return link == null ? "" : link.trouble();
    }

    @Override
    public void receive(Link.Receiver end) {
        receiver = end;
    }

    @Override
    public Link link(int peer) {
        TcpPort here = fabric.port(peer);
        return here != null ? new LocalLink(rank, loop(), here.receiver) : new RemoteLink(peerLink(peer));
    }

    /** Whether there is somebody who takes what peers send. */
    boolean isTaken() {
        return receiver != null;
    }

    /** The link to a rank of another process, made when first asked for. */
    PeerLink peerLink(int peer) {
        return links.computeIfAbsent(
                peer,
                any -> new PeerLink(
                        rank,
                        peer,
                        loop(),
                        user(peer),
                        (link, connection) -> dialler.dial(this, link, connection),
                        fabric.options().policy()));
    }

    private LinkUser user(int peer) {
        return new LinkUser() {
            @Override
            public void onFrame(Frame frame) {
                receiver.onFrame(peer, frame);
            }

            @Override
            public void onReturned(long transfer, long bytes) {
                receiver.onReturned(peer, transfer, bytes);
            }

            @Override
            public void onClosed(String reason) {
                receiver.onClosed(peer, reason);
            }
        };
    }

    /** The process ends: no link is kept any more. */
    void end() {
        links.values().forEach(link -> link.lose("this process ends"));
    }

    /** How often a link has gone on over another connection. Any thread. */
    int resumes() {
        return links.values().stream()
                .mapToInt(link -> Math.max(0, link.connections() - 1))
                .sum();
    }

    Collection<PeerLink> links() {
        return links.values();
    }
}

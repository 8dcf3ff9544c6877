package io.parex.transport.tcp;

import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.protocol.Membership;
import io.parex.protocol.link.LinkOwner;
import io.parex.protocol.link.LinkUser;
import io.parex.protocol.link.Links;
import io.parex.protocol.wire.Hello;
import io.parex.tensor.BufferPool;
import io.parex.transport.ConnectionStats;
import io.parex.transport.Link;
import io.parex.transport.LocalLink;
import io.parex.transport.Network;
import io.parex.transport.OwnerLoop;
import io.parex.transport.RemoteLink;
import java.util.List;

/** What one rank of this process sees of the fabric. */
final class TcpPort implements Network, LinkOwner {
    private final int rank;
    private final TcpFabric fabric;
    private final Membership membership;
    private final Links links;
    private volatile Link.Receiver receiver;

    /**
     * The port of a rank of this process.
     *
     * @param lives of all ranks of this process
     */
    TcpPort(int rank, TcpFabric fabric, TcpDialler dialler, List<Life> lives) {
        this.rank = rank;
        this.fabric = fabric;
        membership = new Membership(fabric.options().worldSize());
        lives.forEach(membership::learn);
        links = new Links(
                rank,
                fabric.loop(),
                membership,
                this,
                (link, connection) -> dialler.dial(this, link, connection),
                fabric.options().policy());
    }

    int rank() {
        return rank;
    }

    /** What this rank says of itself to a peer. */
    Hello hello(int peer, long connection, int lane) {
        Life life = membership.life(rank);
        return new Hello(
                0,
                membership.size(),
                rank,
                peer,
                life.generation(),
                life.nonce(),
                connection,
                lane,
                fabric.options().world(),
                life.address(),
                fabric.options().costs());
    }

    /** Where a peer says that it listens, for as long as that process may be there; empty if it does not say. */
    String placeOf(int peer) {
        return membership.isLost(peer) ? "" : membership.life(peer).address();
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
    public Membership membership() {
        return membership;
    }

    @Override
    public String trouble(int peer) {
        return links.link(peer).trouble();
    }

    @Override
    public void receive(Link.Receiver end) {
        receiver = end;
    }

    @Override
    public Link link(int peer) {
        TcpPort here = fabric.port(peer);
        return here != null ? new LocalLink(rank, loop(), here.receiver) : new RemoteLink(links.link(peer));
    }

    /** Whether there is somebody who takes what peers send. */
    boolean isTaken() {
        return receiver != null;
    }

    /** The links to ranks of other processes. */
    Links links() {
        return links;
    }

    @Override
    public void met(Life life) {
        receiver.onMet(life);
    }

    @Override
    public void stale(long generation, String text) {
        receiver.onStale(generation, text);
    }

    @Override
    public void replaced(String text) {
        receiver.onReplaced(text);
    }

    @Override
    public void probe(int peer) {
        links.probe(peer);
    }

    @Override
    public void endProbes() {
        links.endProbes();
    }

    @Override
    public void lost(String text) {
        receiver.onLost(text);
    }

    @Override
    public LinkUser user(int peer) {
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
        links.endProbes();
        links.all().forEach(link -> link.lose("this process ends"));
    }

    /** How often a link has gone on over another connection. Any thread. */
    int resumes() {
        return links.all().stream()
                .mapToInt(link -> Math.max(0, link.connections() - 1))
                .sum();
    }
}

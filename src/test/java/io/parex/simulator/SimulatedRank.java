package io.parex.simulator;

import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.protocol.Membership;
import io.parex.protocol.link.LinkOwner;
import io.parex.protocol.link.LinkPolicy;
import io.parex.protocol.link.LinkUser;
import io.parex.protocol.link.Links;
import io.parex.protocol.link.PeerLink;
import io.parex.protocol.wire.Hello;
import io.parex.tensor.BufferPool;
import io.parex.transport.Link;
import io.parex.transport.Network;
import io.parex.transport.OwnerLoop;
import io.parex.transport.RemoteLink;
import java.time.Duration;

/** The loop of one simulated rank, and what it sees of the network. */
final class SimulatedRank implements Network, OwnerLoop, LinkOwner {
    private static final LinkPolicy POLICY = new LinkPolicy(
            Duration.ofMinutes(5).toNanos(), Duration.ofSeconds(5).toNanos());

    private final Simulation simulation;
    private final int rank;
    private final BufferPool pool;
    private final BufferPool arrivals;
    private final Membership membership;
    private final Links links;
    private long lastTaskNanos;
    private Link.Receiver receiver;
    private boolean dead;
    private boolean silent;

    SimulatedRank(Simulation simulation, int rank, long nonce, BufferPool pool, BufferPool arrivals) {
        this.simulation = simulation;
        this.rank = rank;
        this.pool = pool;
        this.arrivals = arrivals;
        membership = new Membership(simulation.size());
        links = new Links(rank, this, membership, this, this::dial, POLICY);
        for (int peer = 0; peer < simulation.size(); peer++) {
            if (peer == rank || !simulation.isWired()) {
                String address = peer == rank ? simulation.address(this) : "";
                membership.learn(new Life(peer, 1, peer == rank ? nonce : simulation.nonce(peer), address));
            }
        }
    }

    private void dial(PeerLink link, long connection) {
        simulation.wires().greet(this, link, connection);
    }

    int rank() {
        return rank;
    }

    /** The links to the other ranks, where they are made of connections. */
    Links links() {
        return links;
    }

    /** What it says of itself to a peer. */
    Hello hello(int peer, long connection) {
        Life life = membership.life(rank);
        return new Hello(
                0,
                simulation.size(),
                rank,
                peer,
                life.generation(),
                life.nonce(),
                connection,
                0,
                "simulated",
                life.address(),
                0);
    }

    /** Where a peer says that it is, for as long as it may be there. */
    String placeOf(int peer) {
        return membership.isLost(peer) ? "" : membership.life(peer).address();
    }

    /** The process is gone, and perhaps its host too, so that nobody says so. */
    void die(boolean withItsHost) {
        dead = true;
        silent = withItsHost;
    }

    boolean isDead() {
        return dead;
    }

    /** Whether not even the host answers. */
    boolean isSilent() {
        return silent;
    }

    Link.Receiver receiver() {
        return receiver;
    }

    @Override
    public OwnerLoop loop() {
        return this;
    }

    @Override
    public BufferPool pool() {
        return pool;
    }

    @Override
    public BufferPool arrivals() {
        return arrivals;
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
    public LinkUser user(int peer) {
        return simulation.watch().incoming(this, peer, new LinkUser() {
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
        });
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
        if (simulation.isWired()) {
            links.probe(peer);
        }
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
    public void receive(Link.Receiver end) {
        receiver = end;
    }

    @Override
    public Link link(int peer) {
        if (simulation.isWired() && peer != rank) {
            return simulation.watch().outgoing(this, peer, new RemoteLink(links.link(peer)));
        }
        return new SimulatedLink(simulation, rank, simulation.rank(peer));
    }

    @Override
    public void execute(Runnable task) {
        // Tasks of one loop run in the order given, each a little later than it was given.
        lastTaskNanos = Math.max(lastTaskNanos, simulation.nowNanos())
                + 1
                + simulation.random().nextInt(2_000);
        simulation.at(lastTaskNanos, this, task);
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        boolean[] cancelled = new boolean[1];
        simulation.at(simulation.nowNanos() + delayNanos, this, () -> {
            if (!cancelled[0]) {
                task.run();
            }
        });
        return () -> cancelled[0] = true;
    }

    @Override
    public boolean inLoop() {
        return simulation.isRunning(this);
    }

    @Override
    public long nanoTime() {
        return simulation.nowNanos();
    }
}

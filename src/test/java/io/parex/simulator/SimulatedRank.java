package io.parex.simulator;

import io.parex.protocol.Life;
import io.parex.tensor.BufferPool;
import io.parex.transport.Link;
import io.parex.transport.Network;
import io.parex.transport.OwnerLoop;
import io.parex.transport.RemoteLink;
import java.util.List;
import java.util.stream.IntStream;

/** The loop of one simulated rank, and what it sees of the network. */
final class SimulatedRank implements Network, OwnerLoop {
    private final Simulation simulation;
    private final int rank;
    private final long nonce;
    private final BufferPool pool;
    private final BufferPool arrivals;
    private long lastTaskNanos;
    private Link.Receiver receiver;
    private boolean dead;
    private boolean silent;

    SimulatedRank(Simulation simulation, int rank, long nonce, BufferPool pool, BufferPool arrivals) {
        this.simulation = simulation;
        this.rank = rank;
        this.nonce = nonce;
        this.pool = pool;
        this.arrivals = arrivals;
    }

    int rank() {
        return rank;
    }

    /** Tells this life of the rank from others. */
    long nonce() {
        return nonce;
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
    public List<Life> lives() {
        return IntStream.range(0, simulation.size())
                .filter(peer -> peer == rank || !simulation.isWired())
                .mapToObj(peer -> new Life(peer, 1, simulation.rank(peer).nonce()))
                .toList();
    }

    @Override
    public String trouble(int peer) {
        return simulation.wires().link(rank, peer).trouble();
    }

    @Override
    public void receive(Link.Receiver end) {
        receiver = end;
    }

    @Override
    public Link link(int peer) {
        if (simulation.isWired() && peer != rank) {
            return simulation
                    .watch()
                    .outgoing(this, peer, new RemoteLink(simulation.wires().link(rank, peer)));
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

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
    private long lastTaskNanos;
    private Link.Receiver receiver;

    SimulatedRank(Simulation simulation, int rank) {
        this.simulation = simulation;
        this.rank = rank;
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
        return simulation.pool();
    }

    @Override
    public BufferPool arrivals() {
        return simulation.network();
    }

    @Override
    public List<Life> lives() {
        return IntStream.range(0, simulation.size())
                .filter(peer -> peer == rank || !simulation.isWired())
                .mapToObj(peer -> new Life(peer, 1, 1000 + peer))
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
            return new RemoteLink(simulation.wires().link(rank, peer));
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

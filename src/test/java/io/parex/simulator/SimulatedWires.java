package io.parex.simulator;

import io.parex.protocol.Frame;
import io.parex.protocol.link.Dialler;
import io.parex.protocol.link.LinkPolicy;
import io.parex.protocol.link.LinkUser;
import io.parex.protocol.link.PeerLink;
import io.parex.protocol.wire.Hello;
import io.parex.protocol.wire.Reject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Links of simulated ranks that are made of connections, which carry bytes, break and are made anew. */
final class SimulatedWires {
    private static final LinkPolicy POLICY = new LinkPolicy(
            Duration.ofMinutes(5).toNanos(), Duration.ofSeconds(5).toNanos());

    /** How long the operating system tries to connect. */
    private static final long DIAL_NANOS = Duration.ofSeconds(2).toNanos();

    private record Ends(int from, int to) {}

    private final Simulation simulation;
    private final Map<Ends, PeerLink> links = new HashMap<>();
    private final List<SimulatedConnection> connections = new ArrayList<>();

    SimulatedWires(Simulation simulation) {
        this.simulation = simulation;
    }

    /** The end at rank {@code from} of its link to rank {@code to}. */
    PeerLink link(int from, int to) {
        return links.computeIfAbsent(
                new Ends(from, to),
                ends -> new PeerLink(from, to, simulation.rank(from), user(from, to), dialler(from), POLICY));
    }

    /** Forgets the links of a process that is gone. */
    void forget(int from) {
        links.keySet().removeIf(ends -> ends.from() == from);
    }

    /** The connections that have an end at {@code rank}. */
    List<SimulatedConnection> of(SimulatedRank rank) {
        return connections.stream().filter(each -> each.isOf(rank)).toList();
    }

    /** The connection that two ranks use now; null if there is none. */
    SimulatedConnection between(int a, int b) {
        return connections.reversed().stream()
                .filter(each -> each.joins(simulation.rank(a), simulation.rank(b)))
                .findFirst()
                .orElse(null);
    }

    private LinkUser user(int from, int to) {
        SimulatedRank rank = simulation.rank(from);
        return simulation.watch().incoming(rank, to, new LinkUser() {
            @Override
            public void onFrame(Frame frame) {
                rank.receiver().onFrame(to, frame);
            }

            @Override
            public void onReturned(long transfer, long bytes) {
                rank.receiver().onReturned(to, transfer, bytes);
            }

            @Override
            public void onClosed(String reason) {
                rank.receiver().onClosed(to, reason);
            }
        });
    }

    private Dialler dialler(int from) {
        SimulatedRank dialling = simulation.rank(from);
        return (link, connection) -> greet(dialling, link, connection);
    }

    private void greet(SimulatedRank from, PeerLink dialling, long number) {
        SimulatedRank to = simulation.rank(dialling.peer());
        long free = simulation.faults().dialNanos(from, to);
        if (to.isDead() && !to.isSilent()) {
            later(from, () -> dialling.dialFailed(true, "connection refused"));
        } else if (to.isDead() || free > simulation.nowNanos() + DIAL_NANOS) {
            simulation.at(
                    simulation.nowNanos() + DIAL_NANOS, from, () -> dialling.dialFailed(false, "connect timed out"));
        } else {
            long arrival = Math.max(free, simulation.nowNanos()) + simulation.delayNanos();
            Runnable refused =
                    () -> simulation.at(arrival, from, () -> dialling.dialFailed(false, "hung up in the handshake"));
            simulation.at(arrival, to, () -> offer(from, dialling, to, number), refused);
        }
    }

    private void offer(SimulatedRank from, PeerLink dialling, SimulatedRank to, long number) {
        PeerLink target = link(to.rank(), from.rank());
        Reject reject = target.offered(hello(from, to, number));
        if (reject != null) {
            later(from, () -> dialling.dialRejected(reject));
            return;
        }
        SimulatedConnection connection = new SimulatedConnection(simulation, from, dialling, to, target, number);
        connections.add(connection);
        target.accepted(connection.accepted(), hello(from, to, number));
        later(from, () -> dialling.dialled(connection.dialled(), hello(to, from, number)));
    }

    /** The greetings of all connections that were come once more. */
    void greetAgain(int from, int to) {
        SimulatedRank dialler = simulation.rank(from);
        SimulatedRank target = simulation.rank(to);
        for (SimulatedConnection each : connections) {
            if (each.wasDialled(dialler, target)
                    && link(to, from).offered(hello(dialler, target, each.number())) == null) {
                throw new IllegalStateException(
                        "a late greeting of connection " + each.number() + " was taken by rank " + to);
            }
        }
    }

    private void later(SimulatedRank rank, Runnable task) {
        simulation.at(simulation.nowNanos() + simulation.delayNanos(), rank, task);
    }

    private Hello hello(SimulatedRank from, SimulatedRank to, long connection) {
        return new Hello(0, simulation.size(), from.rank(), to.rank(), 1, from.nonce(), connection, 0, "simulated");
    }

    /** How many connections there were. */
    int connections() {
        return connections.size();
    }

    /** How many of them the network has cut. */
    long cuts() {
        return connections.stream().filter(SimulatedConnection::wasCut).count();
    }
}

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

    private LinkUser user(int from, int to) {
        return new LinkUser() {
            @Override
            public void onFrame(Frame frame) {
                simulation.rank(from).receiver().onFrame(to, frame);
            }

            @Override
            public void onReturned(long transfer, long bytes) {
                simulation.rank(from).receiver().onReturned(to, transfer, bytes);
            }

            @Override
            public void onClosed(String reason) {
                simulation.rank(from).receiver().onClosed(to, reason);
            }
        };
    }

    private Dialler dialler(int from) {
        return (link, connection) -> later(link.peer(), () -> offer(from, link, connection));
    }

    private void offer(int from, PeerLink dialling, long number) {
        int to = dialling.peer();
        PeerLink target = link(to, from);
        Reject reject = target.offered(hello(from, to, number));
        if (reject != null) {
            later(from, () -> dialling.dialRejected(reject));
            return;
        }
        SimulatedConnection connection = new SimulatedConnection(simulation, from, dialling, to, target);
        connections.add(connection);
        target.accepted(connection.accepted(), hello(from, to, number));
        later(from, () -> dialling.dialled(connection.dialled(), hello(to, from, number)));
    }

    private void later(int rank, Runnable task) {
        simulation.at(simulation.nowNanos() + simulation.delayNanos(), simulation.rank(rank), task);
    }

    private Hello hello(int from, int to, long connection) {
        return new Hello(0, simulation.size(), from, to, 1, 1000 + from, connection, 0, "simulated");
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

package io.parex.simulator;

import io.parex.protocol.link.PeerLink;
import io.parex.protocol.wire.Hello;
import io.parex.protocol.wire.Reject;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Links of simulated ranks that are made of connections, which carry bytes, break and are made anew. */
final class SimulatedWires {
    /** How long the operating system tries to connect. */
    private static final long DIAL_NANOS = Duration.ofSeconds(2).toNanos();

    private final Simulation simulation;
    private final List<SimulatedConnection> connections = new ArrayList<>();

    SimulatedWires(Simulation simulation) {
        this.simulation = simulation;
    }

    /** The end at rank {@code from} of its link to rank {@code to}. */
    PeerLink link(int from, int to) {
        return simulation.rank(from).links().link(to);
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

    /** A rank dials: first where the peer says that it is, then where it is to be looked for. */
    void greet(SimulatedRank from, PeerLink dialling, long number) {
        Deque<SimulatedRank> targets = new ArrayDeque<>();
        SimulatedRank told = simulation.process(from.placeOf(dialling.peer()));
        SimulatedRank lookedFor = simulation.placed(dialling.peer());
        if (told != null && told != lookedFor) {
            targets.add(told);
        }
        targets.add(lookedFor);
        new Dial(from, dialling, number, targets).next();
    }

    /** One attempt to connect. */
    private final class Dial {
        private final SimulatedRank from;
        private final PeerLink dialling;
        private final long number;
        private final Deque<SimulatedRank> targets;
        private boolean allRefused = true;
        private String cause = "";

        Dial(SimulatedRank from, PeerLink dialling, long number, Deque<SimulatedRank> targets) {
            this.from = from;
            this.dialling = dialling;
            this.number = number;
            this.targets = targets;
        }

        void next() {
            if (targets.isEmpty()) {
                dialling.dialFailed(allRefused, cause);
            } else {
                greet(targets.remove());
            }
        }

        private void fail(boolean refused, String why) {
            allRefused &= refused;
            cause = why;
            next();
        }

        private void greet(SimulatedRank to) {
            long free = simulation.faults().dialNanos(from, to);
            if (to.isDead() && !to.isSilent()) {
                later(from, () -> fail(true, "connection refused"));
            } else if (to.isDead() || free > simulation.nowNanos() + DIAL_NANOS) {
                simulation.at(simulation.nowNanos() + DIAL_NANOS, from, () -> fail(false, "connect timed out"));
            } else {
                long arrival = Math.max(free, simulation.nowNanos()) + simulation.delayNanos();
                Runnable hungUp = () -> simulation.at(arrival, from, () -> fail(false, "hung up in the handshake"));
                simulation.at(arrival, to, () -> offer(to), hungUp);
            }
        }

        private void offer(SimulatedRank to) {
            Hello greeting = from.hello(to.rank(), number);
            Reject reject = to.links().offered(greeting);
            if (reject != null) {
                later(from, () -> {
                    if (!from.links().rejected(dialling, reject)) {
                        fail(false, reject.text());
                    }
                });
                return;
            }
            PeerLink target = to.links().link(from.rank());
            SimulatedConnection connection = new SimulatedConnection(simulation, from, dialling, to, target, number);
            connections.add(connection);
            to.links().accepted(connection.accepted(), greeting);
            Hello answer = to.hello(from.rank(), number);
            later(from, () -> answered(connection, answer));
        }

        private void answered(SimulatedConnection connection, Hello answer) {
            String wrong = from.links().answered(dialling, answer);
            if (wrong == null) {
                dialling.dialled(connection.dialled(), answer);
            } else {
                connection.dialled().close();
                fail(false, wrong);
            }
        }
    }

    /** The greetings of all connections that were come once more. */
    void greetAgain(int from, int to) {
        SimulatedRank dialler = simulation.rank(from);
        SimulatedRank target = simulation.rank(to);
        for (SimulatedConnection each : connections) {
            if (each.wasDialled(dialler, target) && target.links().offered(dialler.hello(to, each.number())) == null) {
                throw new IllegalStateException(
                        "a late greeting of connection " + each.number() + " was taken by rank " + to);
            }
        }
    }

    private void later(SimulatedRank rank, Runnable task) {
        simulation.at(simulation.nowNanos() + simulation.delayNanos(), rank, task);
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

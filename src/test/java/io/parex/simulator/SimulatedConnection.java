package io.parex.simulator;

import io.parex.protocol.link.PeerLink;

/** Two pipes between two ranks that break together. */
final class SimulatedConnection {
    private final Simulation simulation;
    private final SimulatedCarrier dialled;
    private final SimulatedCarrier accepted;
    private boolean cut;

    SimulatedConnection(Simulation simulation, int from, PeerLink dialling, int to, PeerLink target) {
        this.simulation = simulation;
        dialled = new SimulatedCarrier(simulation, this, simulation.rank(from), dialling);
        accepted = new SimulatedCarrier(simulation, this, simulation.rank(to), target);
        dialled.joinedTo(accepted);
        accepted.joinedTo(dialled);
    }

    SimulatedCarrier dialled() {
        return dialled;
    }

    SimulatedCarrier accepted() {
        return accepted;
    }

    boolean wasCut() {
        return cut;
    }

    /** The network breaks the connection; each side hears of it in its own time, perhaps after more bytes. */
    void cut() {
        if (!cut) {
            cut = true;
            dialled.breakAt(simulation.nowNanos() + simulation.delayNanos(), "connection reset");
            accepted.breakAt(simulation.nowNanos() + simulation.delayNanos(), "connection reset");
        }
    }
}

package io.parex.simulator;

import io.parex.protocol.link.PeerLink;

/** Two pipes between two ranks that break together. */
final class SimulatedConnection {
    private final Simulation simulation;
    private final long number;
    private final SimulatedCarrier dialled;
    private final SimulatedCarrier accepted;
    private boolean cut;

    SimulatedConnection(
            Simulation simulation,
            SimulatedRank from,
            PeerLink dialling,
            SimulatedRank to,
            PeerLink target,
            long number) {
        this.simulation = simulation;
        this.number = number;
        dialled = new SimulatedCarrier(simulation, this, from, dialling);
        accepted = new SimulatedCarrier(simulation, this, to, target);
        dialled.joinedTo(accepted);
        accepted.joinedTo(dialled);
    }

    SimulatedCarrier dialled() {
        return dialled;
    }

    SimulatedCarrier accepted() {
        return accepted;
    }

    /** Whether it joins these two and neither end has ended. */
    boolean joins(SimulatedRank a, SimulatedRank b) {
        boolean both = dialled.rank() == a && accepted.rank() == b || dialled.rank() == b && accepted.rank() == a;
        return both && !dialled.isOver() && !accepted.isOver();
    }

    /** Whether one dialled the other for it. */
    boolean wasDialled(SimulatedRank from, SimulatedRank to) {
        return dialled.rank() == from && accepted.rank() == to;
    }

    /** The number that was agreed on for it. */
    long number() {
        return number;
    }

    /** Whether an end is at {@code rank}. */
    boolean isOf(SimulatedRank rank) {
        return dialled.rank() == rank || accepted.rank() == rank;
    }

    /** One end hears that the connection is gone, the other only when it tries a new one, or much later. */
    void cutHalf(long laterNanos) {
        if (!cut) {
            cut = true;
            boolean first = simulation.random().nextBoolean();
            dialled.breakAt(simulation.nowNanos() + (first ? 0 : laterNanos), "connection reset");
            accepted.breakAt(simulation.nowNanos() + (first ? laterNanos : 0), "connection reset");
        }
    }

    /** The process at one end is gone. */
    void lost(SimulatedRank end, boolean silently) {
        SimulatedCarrier gone = dialled.rank() == end ? dialled : accepted;
        SimulatedCarrier left = gone == dialled ? accepted : dialled;
        gone.vanish();
        if (!silently) {
            left.breakAt(left.notBefore(simulation.nowNanos() + simulation.delayNanos()), "connection reset by peer");
        }
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

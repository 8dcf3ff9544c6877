package io.parex.simulator;

import io.parex.protocol.Frame;
import io.parex.transport.Link;

/** A link whose frames take their time. Lent bytes are read when the frame is used, as late as it gets. */
final class SimulatedLink implements Link {
    private final Simulation simulation;
    private final int from;
    private final SimulatedRank to;
    private long lastArrivalNanos;
    private boolean closed;

    SimulatedLink(Simulation simulation, int from, SimulatedRank to) {
        this.simulation = simulation;
        this.from = from;
        this.to = to;
    }

    @Override
    public void send(Frame frame) {
        if (closed) {
            if (frame instanceof Frame.Data data) {
                data.payload().release();
            }
            return;
        }
        Frame arriving = simulation.tampered(frame);
        if (arriving != null) {
            deliver(() -> to.receiver().onFrame(from, arriving));
        }
    }

    @Override
    public void close(String reason) {
        if (!closed) {
            closed = true;
            deliver(() -> to.receiver().onClosed(from, reason));
        }
    }

    private void deliver(Runnable arrival) {
        lastArrivalNanos = Math.max(lastArrivalNanos + 1, simulation.nowNanos() + simulation.delayNanos());
        simulation.at(lastArrivalNanos, to, arrival);
    }
}

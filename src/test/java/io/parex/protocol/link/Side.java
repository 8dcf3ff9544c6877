package io.parex.protocol.link;

import io.parex.protocol.Frame;
import java.lang.foreign.MemorySegment;

/** One side of a link under test, with its connection and its user. */
final class Side {
    final RecordingUser user = new RecordingUser();
    final LinkState link;
    private final ManualTiming timing;
    HandCarrier carrier;

    Side(ManualTiming timing) {
        this.timing = timing;
        link = new LinkState(timing, user);
    }

    void attach() {
        carrier = new HandCarrier();
        link.attach(carrier);
    }

    /** The connection ends, as the contract of carriers has it. */
    void detach() {
        HandCarrier ended = carrier;
        carrier = null;
        if (ended != null) {
            ended.end();
            link.detached();
        }
    }

    /** Detaches if this side has closed the connection. */
    boolean detachIfClosed() {
        if (carrier != null && carrier.isClosed()) {
            detach();
            return true;
        }
        return false;
    }

    void send(Frame... frames) {
        for (Frame frame : frames) {
            link.send(frame);
        }
        timing.run();
    }

    void arrive(byte[] bytes) {
        if (bytes.length > 0) {
            link.arrived(MemorySegment.ofArray(bytes));
            link.turnOver();
        }
    }
}

package io.parex.transport;

import io.parex.protocol.Frame;
import io.parex.protocol.Frame.Data;

/** The way to a rank of the same process: frames are handed over as they are, lent bytes by reference. */
public final class LocalLink implements Link {
    private final int from;
    private final OwnerLoop receiverLoop;
    private final Receiver receiver;
    private boolean closed;

    /** The way from rank {@code from} to the rank that takes with {@code receiver} on {@code receiverLoop}. */
    public LocalLink(int from, OwnerLoop receiverLoop, Receiver receiver) {
        this.from = from;
        this.receiverLoop = receiverLoop;
        this.receiver = receiver;
    }

    @Override
    public void send(Frame frame) {
        if (!closed) {
            receiverLoop.execute(() -> receiver.onFrame(from, frame));
        } else if (frame instanceof Data data) {
            data.payload().release();
        }
    }

    @Override
    public void close(String reason) {
        if (!closed) {
            closed = true;
            receiverLoop.execute(() -> receiver.onClosed(from, reason));
        }
    }
}

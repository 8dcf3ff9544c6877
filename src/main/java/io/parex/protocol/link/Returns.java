package io.parex.protocol.link;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Tells the rank which of its lent memory is free: acknowledged, and let go of by the connection, which may happen in
 * any order. One word for frames of a transfer that follow each other. Owner loop only.
 */
final class Returns {
    private final LinkUser user;
    private final Deque<Outgoing> acknowledged = new ArrayDeque<>();

    Returns(LinkUser user) {
        this.user = user;
    }

    /** A frame has been acknowledged. */
    void add(Outgoing frame) {
        if (frame.isData()) {
            acknowledged.add(frame);
        }
    }

    /** Runs {@code task} on the frames that are acknowledged and to which a connection may refer. */
    void each(Consumer<Outgoing> task) {
        acknowledged.forEach(task);
    }

    /** Tells of what is free now, in the order sent, since a word of a transfer is for all of it below. */
    void flush() {
        boolean open = false;
        long transfer = 0;
        long end = 0;
        while (!acknowledged.isEmpty() && acknowledged.element().references() == 0) {
            Outgoing frame = acknowledged.remove();
            if (!frame.isLent() || !frame.isDelivered()) {
                continue;
            }
            if (open && frame.transfer() != transfer) {
                user.onReturned(transfer, end);
            }
            open = true;
            transfer = frame.transfer();
            end = frame.offset() + frame.length();
        }
        if (open) {
            user.onReturned(transfer, end);
        }
    }
}

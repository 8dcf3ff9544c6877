package io.parex.protocol.link;

/**
 * Tells the rank which of its lent memory is free: one word for the acknowledged frames of a transfer that follow each
 * other. Owner loop only.
 */
final class Returns {
    private final LinkUser user;
    private boolean open;
    private long transfer;
    private long end;

    Returns(LinkUser user) {
        this.user = user;
    }

    /** A frame has been acknowledged. */
    void add(Outgoing frame) {
        if (!frame.isLent() || !frame.isDelivered()) {
            return;
        }
        if (open && frame.transfer() != transfer) {
            flush();
        }
        open = true;
        transfer = frame.transfer();
        end = frame.offset() + frame.length();
    }

    /** There is no more to come for now. */
    void flush() {
        if (open) {
            open = false;
            user.onReturned(transfer, end);
        }
    }
}

package io.parex.protocol.link;

/** The limits of a link, with their reasons. Sizes in bytes, times in nanoseconds. */
final class LinkLimits {
    /** Payload of one frame: a turn of the other transfers comes soon, and the header costs less than a thousandth. */
    static final int FRAME_PAYLOAD = 64 << 10;

    /** Payload that is copied to the connection rather than referred to, which costs more than so small a copy. */
    static final int COPY_BELOW = 2 << 10;

    /** Payload sent and not acknowledged: more than a 10 Gbit/s path of 5 ms holds. */
    static final long WINDOW = 8 << 20;

    /** Payload consumed before it is acknowledged without being asked; a small part of the window. */
    static final long ACKNOWLEDGE_AFTER = 256 << 10;

    /** Consumed bytes are acknowledged at the latest after this time. */
    static final long ACKNOWLEDGE_WITHIN = 1_000_000;

    /**
     * How long the receiver may take to say that it let go of a transfer that its sender ends. After that, only this
     * side's connection is waited for, which is cut if it still refers to the memory.
     */
    static final long WITHDRAW_WITHIN = 200_000_000;

    private LinkLimits() {}
}

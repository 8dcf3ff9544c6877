package io.parex.protocol.wire;

/** What the two ends of a link say to each other on their own account; the ranks never see it. */
public sealed interface LinkFrame {

    /**
     * First frame of every connection, both ways: what has been consumed, so that the sender goes on exactly there.
     *
     * @param frame number of the last frame consumed whole, 0 before the first
     * @param bytes payload bytes consumed of the frame after it
     */
    record Resume(long frame, int bytes) implements LinkFrame {}

    /** Asks for a {@link Pong} with the same token. */
    record Ping(long token) implements LinkFrame {}

    /** Answers a {@link Ping}. */
    record Pong(long token) implements LinkFrame {}

    /** Carries the acknowledgement in its header when nothing else goes that way. */
    record Ack() implements LinkFrame {}

    /** The last frame of the link, in order with the others. */
    record Close(String reason) implements LinkFrame {}
}

package io.parex.protocol.wire;

import java.util.Objects;

/**
 * Bytes that cannot be taken for what they should be, or a value that has no place in them. Says what, where and why.
 */
public final class WireException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is to be done about it. */
    public enum Kind {
        /** The bytes changed on the way, or may have: cut the connection and resume. */
        DAMAGED,
        /** The bytes arrived as they were sent and are wrong: the peer breaks the protocol, and would again. */
        MALFORMED,
        /** Whoever is at the other end speaks something else. */
        FOREIGN,
        /** The peer speaks Parex, but no version that this side speaks. */
        VERSION,
        /** This side was asked to send what the protocol has no room for. */
        UNSENDABLE
    }

    private final Kind kind;

    public WireException(Kind kind, String message) {
        super(Objects.requireNonNull(message));
        this.kind = Objects.requireNonNull(kind);
    }

    public Kind kind() {
        return kind;
    }
}

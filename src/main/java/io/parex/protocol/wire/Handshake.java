package io.parex.protocol.wire;

/** What two ends of a connection say before the first frame. */
public sealed interface Handshake permits Hello, Reject {

    /** Oldest version of the protocol that this side speaks. */
    int MIN_VERSION = 1;

    /** Newest version of the protocol that this side speaks. */
    int MAX_VERSION = 1;
}

package io.parex.transport;

import io.parex.protocol.Membership;
import io.parex.tensor.BufferPool;

/** What a rank needs of the outside: its loop and links to its peers. */
public interface Network {

    /** The loop that owns the rank. */
    OwnerLoop loop();

    /**
     * Memory for bytes that travel as copies, and for scratch: a copy is released by its receiver, so ranks that are
     * joined by reference share one pool, which outlives them all.
     */
    BufferPool pool();

    /** Memory for bytes that have arrived over a connection and cannot be consumed yet. */
    BufferPool arrivals();

    /**
     * What the rank knows of the lives of all: at the start those of its own process. The rank's to change, on its
     * owner loop; its connections are made by it.
     */
    Membership membership();

    /** Why there is no connection to rank {@code peer} of another process, in words. Owner loop only. */
    String trouble(int peer);

    /** What has happened to connections so far. Any thread. */
    default ConnectionStats connections() {
        return ConnectionStats.NONE;
    }

    /** Names the end that takes what peers send to this rank; once, before the first frame. */
    void receive(Link.Receiver receiver);

    /**
     * The link from this rank to the process that rank {@code peer} of the world is now, which may be the rank itself.
     * Asked for again when the link has ended and the membership knows a later life of the peer. Owner loop only.
     */
    Link link(int peer);

    /**
     * Looks for another process of rank {@code peer}, whose last one is lost, until the membership knows of one.
     * Nothing happens where ranks cannot be lost. Owner loop only.
     */
    default void probe(int peer) {}

    /** Looks for none any more. Owner loop only. */
    default void endProbes() {}
}

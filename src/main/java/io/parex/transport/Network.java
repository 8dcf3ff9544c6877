package io.parex.transport;

import io.parex.protocol.Life;
import io.parex.tensor.BufferPool;
import java.util.List;

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

    /** The lives that are known from the start: of this rank and of those that live in the same process. */
    List<Life> lives();

    /** Why there is no connection to rank {@code peer} of another process, in words. Owner loop only. */
    String trouble(int peer);

    /** What has happened to connections so far. Any thread. */
    default ConnectionStats connections() {
        return ConnectionStats.NONE;
    }

    /** Names the end that takes what peers send to this rank; once, before the first frame. */
    void receive(Link.Receiver receiver);

    /** The link from this rank to rank {@code peer} of the world, which may be the rank itself. Owner loop only. */
    Link link(int peer);
}

package io.parex.protocol.link;

import io.parex.protocol.Life;

/** The rank whose links they are. Called on the owner loop. */
public interface LinkOwner {

    /** Who takes what the link to {@code peer} brings. */
    LinkUser user(int peer);

    /** A process has greeted that is a life of a peer which is news: known to the view when this returns. */
    void met(Life life);

    /**
     * A peer knows of a start of generation {@code generation} of this rank, not before this one, and of no process
     * that answers as it.
     */
    void stale(long generation, String text);

    /** A later start of this rank answers a peer: if this process has not just begun, it was replaced. */
    void replaced(String text);

    /** A peer has lost this rank as this process, for good. */
    void lost(String text);
}

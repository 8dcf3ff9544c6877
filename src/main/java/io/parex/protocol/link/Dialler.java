package io.parex.protocol.link;

/** Opens connections to a peer. Owner loop only. */
public interface Dialler {

    /**
     * Connects to the peer and shakes hands; ends, within a deadline of its own, in exactly one of
     * {@link PeerLink#dialled}, {@link PeerLink#dialFailed} and {@link PeerLink#dialRejected}, never before this
     * returns.
     *
     * @param connection number to propose for the connection
     */
    void dial(PeerLink link, long connection);
}

package io.parex.protocol.link;

/** Where one end of a link is in its life. */
public enum LinkPhase {
    /** Never connected, and nobody wants it to be. */
    UNUSED,
    /** Never connected; a connection is being made. */
    DIALLING,
    /** A connection is there, and the peer has not said from where it goes on. */
    RESUMING,
    /** Connected; the peer has all that was sent. */
    IDLE,
    /** Connected; something is to be sent or acknowledged. */
    BUSY,
    /** The connection broke; another is being made, or will be when it is needed. */
    BROKEN,
    /** This side has closed the link, and the peer does not know all that was said before. */
    CLOSING,
    /** The peer has closed the link or is lost. */
    ENDED
}

package io.parex.protocol.link;

import io.parex.protocol.Frame;

/** What a link tells the rank that it belongs to. Called on the owner loop. */
public interface LinkUser {

    /**
     * A frame of the peer, or word of the link itself, in place of a peer that does not answer, that a withdrawn
     * transfer is free. The payload of a data frame is the connection's memory: it is valid during the call only.
     */
    void onFrame(Frame frame);

    /** The peer has the first {@code bytes} bytes of a transfer, and nothing of the link refers to them any more. */
    void onReturned(long transfer, long bytes);

    /** Nothing more comes from the peer, and nothing of this link refers to the memory of this rank any more. */
    void onClosed(String reason);
}

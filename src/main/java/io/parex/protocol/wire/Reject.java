package io.parex.protocol.wire;

import io.parex.protocol.View;

/**
 * There will be no connection.
 *
 * @param reason what the other end decides by
 * @param connection number of the last connection of the link that this side knows of, 0 if none or no such link
 * @param generation latest start of the sender's rank that this side knows of, 0 if none
 * @param view how this side sees the world, if it has lost the sender; else {@link View#NONE}
 * @param text what is wrong, with the values of both sides
 */
public record Reject(RejectReason reason, long connection, long generation, View view, String text)
        implements Handshake {
    /** One that depends on nothing that is known of the sender. */
    public Reject(RejectReason reason, String text) {
        this(reason, 0, 0, View.NONE, text);
    }
}

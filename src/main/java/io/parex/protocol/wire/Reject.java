package io.parex.protocol.wire;

import io.parex.protocol.Life;
import io.parex.protocol.View;

/**
 * There will be no connection.
 *
 * @param reason what the other end decides by
 * @param connection number of the last connection of the link that this side knows of, 0 if none or no such link
 * @param generation latest start of the greeting rank that this side knows of, 0 if none
 * @param byGeneration start of the refusing rank that refuses, 0 if it does not say
 * @param byNonce nonce of that start
 * @param view how this side sees the world, if it has lost the sender; else {@link View#NONE}
 * @param text what is wrong, with the values of both sides
 */
public record Reject(
        RejectReason reason, long connection, long generation, long byGeneration, long byNonce, View view, String text)
        implements Handshake {
    /** One that depends on nothing that is known of the sender. */
    public Reject(RejectReason reason, String text) {
        this(reason, 0, 0, View.NONE, text);
    }

    /** One that does not say who refuses. */
    public Reject(RejectReason reason, long connection, long generation, View view, String text) {
        this(reason, connection, generation, 0, 0, view, text);
    }

    /** The same, said by a process. */
    public Reject by(Life life) {
        return new Reject(reason, connection, generation, life.generation(), life.nonce(), view, text);
    }

    /** Whether another process of its rank than {@code known} says this, which is not a later one. */
    public boolean isByFormer(Life known) {
        return byGeneration > 0 && known.generation() >= byGeneration && known.nonce() != byNonce;
    }
}

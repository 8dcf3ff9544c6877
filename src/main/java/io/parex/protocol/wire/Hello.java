package io.parex.protocol.wire;

import io.parex.protocol.Life;

/**
 * Who is there and whom it wants; the answer is a hello the other way or a {@link Reject}.
 *
 * @param features bits of what the sender can do beyond the version
 * @param worldSize ranks of the world
 * @param from world rank of the sender
 * @param to world rank that it takes the other end for
 * @param generation how often the sender's rank has been started
 * @param nonce tells this start of the rank from every other
 * @param connection number proposed for the connection, or agreed to in the answer: above that of any before of this
 *     link
 * @param lane which of the connections between the two, from 0 to 65,535
 * @param world name of the world
 * @param address where the sender listens, {@code host:port}; empty if it does not say
 * @param costs fingerprint of the costs by which the sender chooses algorithms
 */
public record Hello(
        long features,
        int worldSize,
        int from,
        int to,
        long generation,
        long nonce,
        long connection,
        int lane,
        String world,
        String address,
        long costs)
        implements Handshake {

    /** The process that says this. */
    public Life life() {
        return new Life(from, generation, nonce, address);
    }
}

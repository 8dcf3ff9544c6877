package io.parex.transport.tcp;

import io.parex.protocol.link.LinkPolicy;
import java.time.Duration;

/**
 * How a process joins its ranks to those of other processes.
 *
 * @param world name of the world; peers of another one are refused
 * @param worldSize number of its ranks
 * @param host address to listen on
 * @param port to listen on, 0 for any that is free
 * @param startTimeout how long a peer may take to be there for the first time
 * @param peerTimeout after how long without a sign of life a peer is lost
 * @param costs fingerprint of the costs by which ranks choose algorithms; peers with another one are refused
 * @param poolBytes limit of the memory for copies and scratch of all ranks of this process
 */
public record TcpOptions(
        String world,
        int worldSize,
        String host,
        int port,
        Duration startTimeout,
        Duration peerTimeout,
        long costs,
        long poolBytes) {

    LinkPolicy policy() {
        return new LinkPolicy(startTimeout.toNanos(), peerTimeout.toNanos());
    }
}

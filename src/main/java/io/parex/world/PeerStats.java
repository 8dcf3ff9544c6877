package io.parex.world;

/**
 * The traffic between this rank and a peer, for metrics.
 *
 * @param peer rank in the world
 * @param connected whether frames can be exchanged now: within a process since the link was first used, between
 *     processes while there is a connection
 * @param bytesIn tensor bytes received since the start
 * @param bytesOut tensor bytes sent since the start
 * @param messagesOut messages sent since the start, those without elements included: sends and steps of collectives
 */
public record PeerStats(int peer, boolean connected, long bytesIn, long bytesOut, long messagesOut) {}

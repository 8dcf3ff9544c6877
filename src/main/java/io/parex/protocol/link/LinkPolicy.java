package io.parex.protocol.link;

/**
 * How long a link tries.
 *
 * @param startNanos to reach a peer that was never reached, which may not have been started yet
 * @param detectNanos to reach again a peer that was: after that it is lost
 */
public record LinkPolicy(long startNanos, long detectNanos) {}

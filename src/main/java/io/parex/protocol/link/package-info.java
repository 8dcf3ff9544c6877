/**
 * A link between two ranks that outlives its connections: numbers frames, keeps what is not acknowledged, and goes on
 * after a broken connection from the exact byte. The same state machine runs over a socket and over the simulator's
 * byte streams: connections come in as {@link io.parex.protocol.link.Carrier}, time as
 * {@link io.parex.protocol.link.Timing}. Owner loop only. May use {@code protocol}, {@code protocol.wire} and
 * {@code tensor}.
 */
package io.parex.protocol.link;

/**
 * Links between processes: one listener a process, one TCP connection a pair of ranks, made when first needed, on event
 * loops of the fabric's own Vert.x instance. Here is only what touches sockets; numbering, resuming and the choice
 * between connections are {@link io.parex.protocol.link.PeerLink}. Everything runs on the loop that owns the ranks,
 * unless it says otherwise. May use {@code transport}, {@code protocol}, {@code tensor}, Vert.x, Netty and Mutiny.
 */
package io.parex.transport.tcp;

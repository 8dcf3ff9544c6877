/**
 * Carries frames between ranks: the owner loop on which a rank lives, the link from one rank to another, and the local
 * link between ranks of one process. A link delivers on the receiver's owner loop; nothing here blocks. May use
 * {@code protocol} and {@code tensor}, Vert.x and Mutiny.
 */
package io.parex.transport;

/**
 * How frames and the handshake look in bytes; the tables are in PROTOCOL, "Bytes on the wire".
 * {@link io.parex.protocol.wire.FrameEncoder} and {@link io.parex.protocol.wire.FrameReader} are the two ends of a
 * connection once {@link io.parex.protocol.wire.HandshakeEncoder} and {@link io.parex.protocol.wire.HandshakeReader}
 * have agreed.
 *
 * <p>All numbers are little endian. Whatever comes in is taken for hostile: every length is checked against its limit
 * before memory is taken for it, and whatever is wrong is a {@link io.parex.protocol.wire.WireException} and nothing
 * else. May use {@code protocol}, {@code tensor} and {@code schedule}; no I/O, clock or thread: a reader belongs to the
 * thread that feeds it, the rest has no state.
 */
package io.parex.protocol.wire;

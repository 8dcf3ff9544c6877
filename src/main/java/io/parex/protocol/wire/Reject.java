package io.parex.protocol.wire;

/**
 * There will be no connection.
 *
 * @param reason what the other end decides by
 * @param text what is wrong, with the values of both sides
 */
public record Reject(RejectReason reason, String text) implements Handshake {}

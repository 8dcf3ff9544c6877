package io.parex.protocol.wire;

/**
 * There will be no connection.
 *
 * @param reason what the other end decides by
 * @param connection number of the last connection of the link that this side knows of, 0 if none or no such link
 * @param generation latest start of the sender's rank that this side knows of, 0 if none
 * @param text what is wrong, with the values of both sides
 */
public record Reject(RejectReason reason, long connection, long generation, String text) implements Handshake {}

package io.parex.protocol.wire;

/**
 * What a link adds to a control frame.
 *
 * @param flags {@link Header#ACK_NOW} or 0
 * @param number of a sequenced frame, from 1; else 0
 * @param ackFrame number of the last frame consumed whole
 * @param ackBytes payload bytes consumed of the frame after that
 */
public record Stamp(int flags, long number, long ackFrame, int ackBytes) {}

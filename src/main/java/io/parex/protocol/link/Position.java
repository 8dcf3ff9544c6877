package io.parex.protocol.link;

/**
 * How much of the other side's frames has been consumed, since the link began: handed on, in the same turn of the loop
 * in which the position moved.
 *
 * @param frames number of the last frame consumed whole, 0 if none
 * @param bytes payload bytes consumed of the frame after that
 */
record Position(long frames, int bytes) {
    static final Position START = new Position(0, 0);
}

package io.parex.simulator;

import io.parex.protocol.Frame;

/** A defect of the ranks, planted to see whether the checkers find it. By default none. */
public interface Sabotage {
    /** What a link writes to a connection in place of the frame, or head of a frame, {@code bytes}. */
    default byte[] written(byte[] bytes) {
        return bytes;
    }

    /** What rank {@code from} says in place of {@code frame}; null for nothing. */
    default Frame said(int from, Frame frame) {
        return frame;
    }

    /** What rank {@code to} takes a frame of {@code from} for. */
    default Frame understood(int from, int to, Frame frame) {
        return frame;
    }

    /** Whether lent memory is given back when it is sent, not when it has arrived. */
    default boolean returnsEarly() {
        return false;
    }

    /** Whether what arrives is handed on twice. */
    default boolean repeats(Frame.Data data) {
        return false;
    }
}

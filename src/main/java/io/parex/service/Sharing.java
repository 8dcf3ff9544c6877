package io.parex.service;

import io.parex.schedule.Primitive;

/**
 * Where input and output of a call lie in its memory, which they share where the primitive has them in place: nothing
 * is then copied, and the memory of the smaller one is saved.
 *
 * @param shared whether they share it; else one lies behind the other
 * @param inputAt first byte of the input, if shared
 * @param outputAt first byte of the output, if shared
 */
record Sharing(boolean shared, long inputAt, long outputAt) {
    /** Nothing is shared. */
    static final Sharing NONE = new Sharing(false, 0, 0);

    /**
     * What a primitive allows.
     *
     * @param isRoot whether the rank is the root, where there is one
     * @param blockAt first byte of this rank's block in the tensor of all blocks, where there is one
     */
    static Sharing of(Primitive primitive, boolean isRoot, long blockAt) {
        boolean whole = !primitive.rooted() || isRoot;
        return switch (primitive.base()) {
            case ALL_REDUCE, REDUCE -> whole ? new Sharing(true, 0, 0) : NONE;
            case ALL_GATHER, GATHER -> whole ? new Sharing(true, blockAt, 0) : NONE;
            case REDUCE_SCATTER, SCATTER -> whole ? new Sharing(true, 0, blockAt) : NONE;
            default -> NONE;
        };
    }

    /** Bytes of memory for an input and an output of so many. */
    long bytes(long input, long output) {
        return shared ? Math.max(inputAt + input, outputAt + output) : input + output;
    }

    /** First byte of the output behind an input of so many bytes. */
    long outputBehind(long input) {
        return shared ? outputAt : input;
    }
}

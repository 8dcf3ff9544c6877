package io.parex.schedule;

/**
 * Which slices are the same memory on one rank.
 *
 * @param inPlace whether output is the same memory as input
 */
record Aliasing(boolean inPlace) {

    /** The slice under the one name of its memory: of output and input that are the same, input. */
    Slice memory(Slice slice) {
        boolean aliased = inPlace && slice.buffer().equals(Buffer.OUTPUT);
        return aliased ? new Slice(Buffer.INPUT, slice.offset(), slice.length()) : slice;
    }

    /** Whether two slices have an element of memory in common. */
    boolean overlap(Slice one, Slice other) {
        return memory(one).buffer().equals(memory(other).buffer())
                && one.offset() < other.end()
                && other.offset() < one.end();
    }
}

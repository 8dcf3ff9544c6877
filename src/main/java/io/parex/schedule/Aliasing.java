package io.parex.schedule;

/**
 * Which elements are the same memory on one rank.
 *
 * @param inPlace whether output and input share memory at all
 * @param shift where they do, output element {@code o} is input element {@code o + shift}
 */
public record Aliasing(boolean inPlace, long shift) {

    /** Output and input share nothing. */
    public static final Aliasing NONE = new Aliasing(false, 0);

    /** Output element {@code o} is input element {@code o + shift}. */
    public static Aliasing shifted(long shift) {
        return new Aliasing(true, shift);
    }

    /** Where in their common memory the input begins; only in place. */
    long inputBase() {
        return Math.max(0, -shift);
    }

    /** Where in their common memory the output begins; only in place. */
    long outputBase() {
        return Math.max(0, shift);
    }

    /** The slice under the one name of its memory: of output and input that share it, input, from its common begin. */
    Slice memory(Slice slice) {
        if (!inPlace || slice.buffer().isScratch()) {
            return slice;
        }
        long base = slice.buffer().equals(Buffer.INPUT) ? inputBase() : outputBase();
        return new Slice(Buffer.INPUT, base + slice.offset(), slice.length());
    }

    /** Whether two slices have an element of memory in common. */
    boolean overlap(Slice one, Slice other) {
        Slice first = memory(one);
        Slice second = memory(other);
        return first.buffer().equals(second.buffer()) && first.offset() < second.end() && second.offset() < first.end();
    }
}

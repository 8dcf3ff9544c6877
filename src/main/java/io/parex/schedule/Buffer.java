package io.parex.schedule;

import java.util.Locale;

/**
 * One of the memories a schedule names. {@link #INPUT} is read-only and {@link #OUTPUT} receives final values only,
 * both in the tensor's type; scratch buffers hold partial results in the accumulator's type.
 *
 * @param kind which memory
 * @param index number of the scratch buffer, 0 for the others
 */
public record Buffer(Kind kind, int index) {

    /** The caller's input. */
    public static final Buffer INPUT = new Buffer(Kind.INPUT, 0);

    /** The caller's output; the same memory as the input where the call is in place. */
    public static final Buffer OUTPUT = new Buffer(Kind.OUTPUT, 0);

    /** The three kinds of memory. */
    public enum Kind {
        INPUT,
        OUTPUT,
        SCRATCH
    }

    /** Scratch buffer number {@code index}. */
    public static Buffer scratch(int index) {
        return new Buffer(Kind.SCRATCH, index);
    }

    public boolean isScratch() {
        return kind == Kind.SCRATCH;
    }

    @Override
    public String toString() {
        return isScratch() ? "scratch" + index : kind.name().toLowerCase(Locale.ROOT);
    }
}

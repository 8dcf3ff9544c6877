package io.parex.transport.shared;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A word of shared memory: a count of bytes, or a flag. The processes see what was written before a word when they see
 * the word.
 *
 * @param memory holds it
 * @param at its first byte, a multiple of 8
 */
record Cursor(MemorySegment memory, long at) {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    long get() {
        return (long) WORD.getAcquire(memory, at);
    }

    void set(long value) {
        WORD.setRelease(memory, at, value);
    }

    /** The value before; it was replaced in the same instant. */
    long exchange(long value) {
        return (long) WORD.getAndSet(memory, at, value);
    }
}

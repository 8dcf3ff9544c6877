package io.parex.tensor;

import java.lang.foreign.MemorySegment;

/**
 * Whether operations can use memory, which they touch on threads that are not the caller's. Looked at before anything
 * is started: once bytes are on their way, an access that fails can only break off what others wait for. Any thread.
 */
public final class Accessibility {
    /** Stands for every thread that is not the caller's. */
    private static final Thread ANY = Thread.ofVirtual().unstarted(() -> {});

    private Accessibility() {}

    /** Why {@code segment} cannot be read, or filled if {@code written}; null if it can. */
    public static String fault(MemorySegment segment, boolean written) {
        if (!segment.scope().isAlive()) {
            return "the memory has been closed with its arena";
        }
        if (!segment.isAccessibleBy(ANY)) {
            return "memory must be accessible from any thread, and this is confined to one: use a shared or automatic"
                    + " arena";
        }
        return written && segment.isReadOnly() ? "the memory to fill is read-only" : null;
    }
}

package io.parex.transport;

import io.smallrye.mutiny.Uni;

/**
 * Mutiny sets itself up when it is first used, and fails if two threads are the first; so a class that uses it asks.
 */
public final class MutinySetup {
    static {
        Uni.createFrom().voidItem().subscribe().with(nothing -> {});
    }

    private MutinySetup() {}

    /** Mutiny may be used by any thread when this returns. */
    public static void ensure() {
        // Done when the class was loaded, once, however many threads wait for that.
    }
}

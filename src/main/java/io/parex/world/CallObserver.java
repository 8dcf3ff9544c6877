package io.parex.world;

/** Hears of every operation that ends, on the rank's owner loop; must be quick and must not throw. */
@FunctionalInterface
public interface CallObserver {

    /** An operation has ended, well or not. */
    void ended(CallRecord call);
}

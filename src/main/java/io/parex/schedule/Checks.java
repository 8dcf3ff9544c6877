package io.parex.schedule;

import java.util.function.Supplier;

/**
 * Tests conditions and counts them. The words of a fault are made only when there is one: there are millions of tests.
 */
final class Checks {
    private long count;

    /** Number of conditions tested. */
    long count() {
        return count;
    }

    /** Throws the fault unless the condition holds. */
    void test(boolean good, Supplier<String> fault) {
        count++;
        if (!good) {
            throw new ScheduleFault(fault.get());
        }
    }
}

package io.parex.schedule;

import java.util.List;

/** The plain definition of a conflict: two steps touch the same element of memory, and one of them writes it. */
final class Conflicts {

    private Conflicts() {}

    /** Whether an element of one step conflicts with an element of another step of the same rank. */
    static boolean between(Aliasing aliasing, Step one, long oneElement, Step other, long otherElement) {
        List<Slice> writes = StepSlices.writes(one);
        List<Slice> otherWrites = StepSlices.writes(other);
        return meet(aliasing, writes, oneElement, otherWrites, otherElement)
                || meet(aliasing, writes, oneElement, StepSlices.reads(other), otherElement)
                || meet(aliasing, StepSlices.reads(one), oneElement, otherWrites, otherElement);
    }

    private static boolean meet(Aliasing aliasing, List<Slice> ones, long one, List<Slice> others, long other) {
        return ones.stream()
                .anyMatch(a -> others.stream()
                        .anyMatch(b -> aliasing.overlap(
                                new Slice(a.buffer(), a.offset() + one, 1),
                                new Slice(b.buffer(), b.offset() + other, 1))));
    }
}

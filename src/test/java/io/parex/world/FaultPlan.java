package io.parex.world;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * What goes wrong in a run, and when.
 *
 * @param faults in order of time, while calls are made
 * @param lateFaults in order of time, from when the ranks leave the world
 */
record FaultPlan(List<Fault> faults, List<Fault> lateFaults) {

    /** Something that goes wrong between two ranks, or with one. */
    enum Kind {
        /** A connection breaks. */
        CUT,
        /** A connection breaks, and one side hears of it late. */
        HALF_CUT,
        /** Nothing gets one way for less than it takes to lose a peer. */
        STALL,
        /** A rank reads slowly. */
        SLOW,
        /** A greeting is delivered a second time. */
        LATE_GREETING,
        /** Nothing gets one way for longer than it takes to lose a peer. */
        PARTITION,
        /** A process vanishes. */
        CRASH,
        /** A host vanishes. */
        VANISH,
        /** A process vanishes and another takes its place. */
        RESTART;

        /** Whether a rank may be lost by it. */
        boolean isFatal() {
            return compareTo(PARTITION) >= 0;
        }

        /** Whether a process ends. */
        boolean isDeath() {
            return compareTo(CRASH) >= 0;
        }
    }

    /**
     * A fault.
     *
     * @param nanos how long it lasts
     * @param cutBefore how long before it the connection of the two breaks, so that it meets links that are being made
     *     again; -1 if it does not
     */
    record Fault(Kind kind, long atNanos, int rank, int peer, long nanos, long cutBefore) {}

    private static final long MILLI = 1_000_000;
    private static final Kind[] KINDS = Kind.values();
    private static final int HARMLESS = Kind.PARTITION.ordinal();

    /** The faults of a seed in a world of {@code size} ranks that works for about {@code spanNanos}. */
    static FaultPlan draw(Random random, int size, long spanNanos) {
        List<Fault> faults = new ArrayList<>();
        for (int i = 4 + random.nextInt(9); i > 0; i--) {
            faults.add(draw(random, size, KINDS[random.nextInt(HARMLESS)], spanNanos));
        }
        if (random.nextBoolean()) {
            faults.add(draw(random, size, KINDS[HARMLESS + random.nextInt(KINDS.length - HARMLESS)], spanNanos));
            for (int i = random.nextInt(3); i > 0; i--) {
                // What links go through while a rank is being lost.
                faults.add(draw(random, size, KINDS[random.nextInt(HARMLESS)], spanNanos + 5000 * MILLI));
            }
        }
        List<Fault> late = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            late.add(draw(random, size, KINDS[random.nextInt(KINDS.length)], 6 * MILLI));
        }
        faults.sort(Comparator.comparingLong(Fault::atNanos));
        late.sort(Comparator.comparingLong(Fault::atNanos));
        return new FaultPlan(faults, late);
    }

    private static Fault draw(Random random, int size, Kind kind, long spanNanos) {
        int rank = random.nextInt(size);
        int peer = (rank + 1 + random.nextInt(size - 1)) % size;
        long nanos =
                kind == Kind.PARTITION ? 7000 * MILLI + random.nextLong(9000 * MILLI) : random.nextLong(1500 * MILLI);
        long at = random.nextInt(kind.isFatal() ? 2 : 4) == 0 ? random.nextLong(3 * MILLI) : random.nextLong(spanNanos);
        return new Fault(kind, at, rank, peer, nanos, random.nextBoolean() ? random.nextLong(3 * MILLI) : -1);
    }

    @Override
    public String toString() {
        return faults.stream().map(each -> "\n  " + each).collect(Collectors.joining())
                + lateFaults.stream().map(each -> "\n  late " + each).collect(Collectors.joining());
    }
}

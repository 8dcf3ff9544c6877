package io.parex.planner;

/**
 * Things that serve one at a time, such as the cards of hosts, each of which takes turns among those who want much of
 * it: everybody's first segment has to wait for others' first segments only, but the whole for all that was asked for
 * before.
 */
final class Turns {
    private final double[] firstFree;
    private final double[] allFree;

    Turns(int count) {
        firstFree = new double[count];
        allFree = new double[count];
    }

    /** When the first segment, which takes {@code duration}, begins to be served. */
    double begin(int which, double from, double duration) {
        double begin = Math.max(from, firstFree[which]);
        firstFree[which] = begin + duration;
        return begin;
    }

    /** When the whole, which takes {@code duration}, has been served. */
    double end(int which, double from, double duration) {
        allFree[which] = Math.max(from, allFree[which]) + duration;
        return allFree[which];
    }
}

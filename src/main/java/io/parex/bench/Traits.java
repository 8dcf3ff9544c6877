package io.parex.bench;

/**
 * What a measurement has to know of a {@link Workload}.
 *
 * @param callers ranks that take part, from rank 0 on; the others only meet at the start of a batch
 * @param callsPerExchange calls of a rank until it is back where it began: 2 for a message to and fro, else 1
 * @param repeatable whether many calls leave in the outputs what one leaves
 * @param inPlace whether the output is the input
 * @param synchronising whether nobody's call ends before the last rank has come, and that is all there is to verify
 */
record Traits(int callers, int callsPerExchange, boolean repeatable, boolean inPlace, boolean synchronising) {

    /** Of a call by all of {@code ranks}, by itself an exchange. */
    static Traits ofAll(int ranks, boolean repeatable, boolean inPlace) {
        return new Traits(ranks, 1, repeatable, inPlace, false);
    }
}

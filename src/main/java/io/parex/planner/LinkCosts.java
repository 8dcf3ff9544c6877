package io.parex.planner;

import io.parex.algorithm.Effort;

/**
 * What messages and sums cost where ranks are joined by links of one kind, in seconds; equal on all ranks of a world.
 * Immutable.
 *
 * @param kind of the links
 * @param latency of a message, besides what follows
 * @param overhead of the two ranks for each message
 * @param perByte for each byte that is sent
 * @param perReducedByte for each byte of a partial result that is combined
 * @param atOnce ranks that can work at the same time, for they share processors; 0 if all can
 * @param fingerprint tells these costs from others, and is compared when ranks meet
 */
public record LinkCosts(
        LinkKind kind,
        double latency,
        double overhead,
        double perByte,
        double perReducedByte,
        int atOnce,
        long fingerprint) {

    /**
     * Predicted seconds of a call. A rank that passes on what it gets does so by segments, so that the latency of all
     * but the first of a message hides behind the others.
     */
    public double seconds(Effort effort) {
        double sum = 0;
        for (Effort.Phase phase : effort.phases()) {
            sum += phase.rounds() * secondsOfRound(phase);
        }
        return sum;
    }

    private double secondsOfRound(Effort.Phase phase) {
        double queue = atOnce == 0 ? 1 : Math.max(1, phase.ranks() / atOnce);
        double alone = phase.messages() * overhead + phase.bytes() * perByte + phase.reduced() * perReducedByte;
        double work = queue * alone;
        double segments = Math.max(1, phase.bytes() / phase.messages() / Effort.SEGMENT_BYTES);
        return Math.max(work, latency + work / segments);
    }
}

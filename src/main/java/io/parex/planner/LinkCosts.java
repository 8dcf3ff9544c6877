package io.parex.planner;

import io.parex.algorithm.Effort;
import io.parex.schedule.Placement;

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
 * @param table what else is said of the world's links
 */
public record LinkCosts(
        LinkKind kind,
        double latency,
        double overhead,
        double perByte,
        double perReducedByte,
        int atOnce,
        Table table) {

    /**
     * Of a table of costs.
     *
     * @param fingerprint tells it from others, and is compared when ranks meet
     * @param within what links within a host cost; null where these are such
     */
    public record Table(long fingerprint, LinkCosts within) {}

    /** Of links that are all alike. */
    public LinkCosts(
            LinkKind kind,
            double latency,
            double overhead,
            double perByte,
            double perReducedByte,
            int atOnce,
            long fingerprint) {
        this(kind, latency, overhead, perByte, perReducedByte, atOnce, new Table(fingerprint, null));
    }

    /** Tells the table of which these are from others. */
    public long fingerprint() {
        return table.fingerprint();
    }

    /**
     * Predicted seconds of a call. A rank that passes on what it gets does so by segments, so that the latency of all
     * but the first of a message hides behind the others.
     */
    public double seconds(Effort effort) {
        return seconds(effort, Placement.UNKNOWN);
    }

    /** The same of ranks of which some share a host, and so its card: as if they all sent to other hosts at once. */
    public double seconds(Effort effort, Placement hosts) {
        double sum = 0;
        for (Effort.Phase phase : effort.phases()) {
            LinkCosts links = phase.local() && table.within() != null ? table.within() : this;
            double sharing = hosts.isMixed() && !phase.local() ? Math.max(1, phase.ranks() / hosts.hosts()) : 1;
            sum += phase.rounds() * links.secondsOfRound(phase, sharing);
        }
        return sum;
    }

    private double secondsOfRound(Effort.Phase phase, double sharing) {
        double queue = atOnce == 0 ? 1 : Math.max(1, phase.ranks() / atOnce);
        double alone =
                phase.messages() * overhead + phase.bytes() * sharing * perByte + phase.reduced() * perReducedByte;
        double work = queue * alone;
        double segments = Math.max(1, phase.bytes() / phase.messages() / Effort.SEGMENT_BYTES);
        return Math.max(work, latency + work / segments);
    }
}

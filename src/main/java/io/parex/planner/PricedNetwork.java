package io.parex.planner;

import io.parex.ParexException;

/**
 * What messages cost on a network of hosts with one full-duplex card each, all as far from each other; times in
 * seconds, rates in bytes per second.
 *
 * @param latency from the start of a message on one host to its first byte on another
 * @param bandwidth of a host's card, each way, shared by the ranks of the host
 * @param localLatency the same between ranks of one host
 * @param localBandwidth of a rank to others on its host
 * @param overhead a rank's own time for each message that it sends or takes
 * @param combine bytes a second that a rank adds up
 * @param ranksPerHost ranks that share a card; rank r is on host r / ranksPerHost
 */
public record PricedNetwork(
        double latency,
        double bandwidth,
        double localLatency,
        double localBandwidth,
        double overhead,
        double combine,
        int ranksPerHost) {

    public PricedNetwork {
        requirePositive("bandwidth", bandwidth);
        requirePositive("bandwidth within a host", localBandwidth);
        requirePositive("rate of adding up", combine);
        requireNotNegative("latency", latency);
        requireNotNegative("latency within a host", localLatency);
        requireNotNegative("overhead", overhead);
        if (ranksPerHost < 1) {
            throw ParexException.argument("a host has at least 1 rank, not " + ranksPerHost);
        }
    }

    private static void requirePositive(String what, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw ParexException.argument("the " + what + " must be positive, not " + value);
        }
    }

    private static void requireNotNegative(String what, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw ParexException.argument("the " + what + " must not be negative, not " + value);
        }
    }

    int host(int rank) {
        return rank / ranksPerHost;
    }

    boolean isLocal(int one, int other) {
        return host(one) == host(other);
    }

    double latency(boolean local) {
        return local ? localLatency : latency;
    }

    double bandwidth(boolean local) {
        return local ? localBandwidth : bandwidth;
    }
}

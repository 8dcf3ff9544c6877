package io.parex.bench;

/**
 * Times of one point, in each round those of the rank that took longest.
 *
 * @param calls calls of each rank in a round
 * @param meanNanos mean per call, median of the rounds
 * @param minNanos the quickest single call
 * @param medianNanos half of the single calls took at most this
 * @param p99Nanos 99 of 100 single calls took at most this
 * @param wrong output elements of all ranks that were not what they must be, at the worst of the checks before and
 *     after timing; -1 where not verified
 */
public record Figures(int calls, double meanNanos, double minNanos, double medianNanos, double p99Nanos, long wrong) {}

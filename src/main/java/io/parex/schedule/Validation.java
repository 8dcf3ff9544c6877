package io.parex.schedule;

import java.util.List;

/**
 * What the validator counted in schedules that it found good.
 *
 * @param rounds rounds needed where a rank sends and receives at most one whole message a round
 * @param sent per rank what it sends
 * @param inRankOrder whether values are reduced, and all of them in one order: {@code ((0 + 1) + 2) + ...} by rank
 * @param checks how many single conditions were tested
 */
public record Validation(int rounds, List<Sent> sent, boolean inRankOrder, long checks) {

    /**
     * What one rank sends.
     *
     * @param messages number of messages, those without elements included
     * @param elements number of elements in all of them
     */
    public record Sent(long messages, long elements) {}
}

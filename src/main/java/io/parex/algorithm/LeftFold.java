package io.parex.algorithm;

import io.parex.schedule.Problem;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * Sums what all ranks send, in rank order: {@code ((0 + 1) + 2) + ...}. Ranks send values, not partial results; the sum
 * grows in scratch as they arrive, and a rank's are held back by the engine until those of the ranks before it are
 * there, element by element.
 */
final class LeftFold {
    private final ScheduleBuilder builder;
    private final Problem problem;
    private final Slice own;
    private final Slice target;

    /**
     * A fold on one rank.
     *
     * @param own this rank's share, of its input
     * @param target where the sum goes
     */
    LeftFold(ScheduleBuilder builder, Problem problem, Slice own, Slice target) {
        this.builder = builder;
        this.problem = problem;
        this.own = own;
        this.target = target;
    }

    /** Adds the steps; of two ranks none needs scratch, of more each has a buffer of the share's length. */
    void add() {
        if (problem.size() == 1) {
            builder.copy(own, target);
            return;
        }
        int last = problem.size() - 1;
        Slice sum = last == 1 ? target : new Slice(builder.scratch(own.length()), 0, own.length());
        addFirst(sum);
        for (int source = 2; source <= last; source++) {
            Slice next = source == last ? target : sum;
            if (source == problem.rank()) {
                builder.reduce(sum, own, next);
            } else {
                builder.recvReduce(source, sum, next, false, true);
            }
        }
    }

    /** Ranks 0 and 1. */
    private void addFirst(Slice sum) {
        switch (problem.rank()) {
            case 0 -> builder.recvReduce(1, own, sum, false);
            case 1 -> builder.recvReduce(0, own, sum, false);
            default -> {
                builder.recv(0, sum, false);
                builder.recvReduce(1, sum, sum, false, true);
            }
        }
    }
}

package io.parex.schedule;

import java.util.List;

/**
 * The schedules of all ranks for one call, as the validator takes them.
 *
 * @param ranks one schedule per rank, in rank order
 * @param problems what each of them has to solve, in rank order
 */
public record WorldSchedules(List<Schedule> ranks, List<Problem> problems) {

    public WorldSchedules {
        ranks = List.copyOf(ranks);
        problems = List.copyOf(problems);
        if (ranks.isEmpty() || ranks.size() != problems.size()) {
            throw new IllegalArgumentException(ranks.size() + " schedules for " + problems.size() + " problems");
        }
    }

    /** Ranks of the world. */
    public int size() {
        return ranks.size();
    }

    /** What is computed. */
    public Primitive primitive() {
        return problems.getFirst().primitive();
    }

    int root() {
        return problems.getFirst().root();
    }

    Problem problem(int rank) {
        return problems.get(rank);
    }

    /** Elements of a rank's buffer. */
    long length(int rank, Buffer buffer) {
        return switch (buffer.kind()) {
            case INPUT -> problem(rank).inputLength();
            case OUTPUT -> problem(rank).outputLength();
            case SCRATCH -> ranks.get(rank).scratch().get(buffer.index()).length();
        };
    }
}

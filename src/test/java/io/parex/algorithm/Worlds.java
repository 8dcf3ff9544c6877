package io.parex.algorithm;

import io.parex.schedule.Problem;
import io.parex.schedule.WorldSchedules;
import java.util.ArrayList;
import java.util.List;

/** Schedules of whole worlds for tests. */
public final class Worlds {

    /** Which ranks call in place. */
    public enum InPlace {
        NONE,
        ALL,
        EVERY_THIRD;

        boolean holds(int rank) {
            return this == ALL || this == EVERY_THIRD && rank % 3 == 0;
        }
    }

    private Worlds() {}

    /** All ranks' schedules for one call. */
    public static WorldSchedules of(Algorithm algorithm, int size, int count, int root, InPlace inPlace) {
        List<Problem> problems = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            problems.add(Problem.of(algorithm.primitive(), rank, size, count, root, inPlace.holds(rank)));
        }
        return of(algorithm, problems);
    }

    /** All ranks' schedules for the given problems. */
    public static WorldSchedules of(Algorithm algorithm, List<Problem> problems) {
        return new WorldSchedules(problems.stream().map(algorithm::schedule).toList(), problems);
    }
}

package io.parex.algorithm;

import io.parex.schedule.Schedule;
import io.parex.schedule.WorldSchedules;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
        List<Schedule> schedules = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            schedules.add(algorithm.schedule(new Problem(rank, size, count, root, inPlace.holds(rank))));
        }
        Set<Integer> aliased =
                IntStream.range(0, size).filter(inPlace::holds).boxed().collect(Collectors.toSet());
        return new WorldSchedules(schedules, count, root, aliased);
    }
}

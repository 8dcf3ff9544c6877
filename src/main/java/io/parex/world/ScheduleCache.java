package io.parex.world;

import io.parex.algorithm.Algorithm;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import java.util.LinkedHashMap;
import java.util.Map;

/** The last schedules of a rank: training repeats a few shapes for ever. Owner loop only. */
final class ScheduleCache {
    private static final int CAPACITY = 256;

    private record Key(Algorithm algorithm, Problem problem) {}

    private final Map<Key, Schedule> recent = new LinkedHashMap<>(CAPACITY, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Schedule> eldest) {
            return size() > CAPACITY;
        }
    };

    /** The schedule of {@code algorithm} for {@code problem}. */
    Schedule get(Algorithm algorithm, Problem problem) {
        return recent.computeIfAbsent(new Key(algorithm, problem), key -> algorithm.schedule(problem));
    }
}

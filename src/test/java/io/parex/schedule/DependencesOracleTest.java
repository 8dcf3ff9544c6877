package io.parex.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The edges against the plain definition: an element of a step may be worked on once every earlier step has worked on
 * its elements in the same memory, if either writes there. In every state that a random execution reaches, both must
 * let every step go exactly as far.
 */
class DependencesOracleTest {
    private static final int SCHEDULES = 2_000;
    private static final int BUFFER = 9;

    /** In place, output is shifted against input by 0, 2 and -2 elements. */
    private static final List<Primitive> PRIMITIVES =
            List.of(Primitive.ALL_REDUCE, Primitive.REDUCE_SCATTER_V, Primitive.ALL_GATHER_V);

    private final long seed = Long.getLong("parex.seed", 20250607L);
    private long comparisons;

    @Test
    void shouldLetEveryStepGoExactlyAsFarAsTheElementsDo() {
        long waits = 0;
        for (int number = 0; number < SCHEDULES; number++) {
            Random random = new Random(seed + number);
            Primitive primitive = PRIMITIVES.get(random.nextInt(PRIMITIVES.size()));
            Problem problem = Problem.of(primitive, 1, 2, Blocks.of(2, BUFFER), 0, random.nextBoolean());
            Schedule schedule = randomSchedule(random, problem);
            waits += schedule.edges().size();
            walk(schedule, problem.aliasing(), random, "-Dparex.seed=" + (seed + number));
        }
        assertTrue(waits > SCHEDULES, "the schedules hardly conflict: " + waits);
        assertTrue(comparisons > 50L * SCHEDULES, "hardly anything was compared: " + comparisons);
    }

    private static Schedule randomSchedule(Random random, Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder("random", problem);
        builder.scratch(BUFFER);
        builder.scratch(BUFFER);
        int wanted = random.nextInt(2, 9);
        for (int steps = 0; steps < wanted; ) {
            int length = random.nextInt(1, 6);
            Slice read = slice(random, length, 0);
            Slice other = slice(random, length, 0);
            Slice target = slice(random, length, 1);
            try {
                switch (random.nextInt(5)) {
                    case 0 -> builder.send(0, read);
                    case 1 -> builder.recv(0, target);
                    case 2 -> builder.recvReduce(0, read, target, true);
                    case 3 -> builder.reduce(read, other, target);
                    default -> builder.copy(read, target);
                }
                steps++;
            } catch (IllegalArgumentException shiftedAlias) {
                // A step whose slices overlap without being the same: draw another.
                assertTrue(shiftedAlias.getMessage().contains("alias"), shiftedAlias::getMessage);
            }
        }
        return builder.build();
    }

    /** A slice of input, output or scratch; {@code lowest} 1 leaves out the input. */
    private static Slice slice(Random random, int length, int lowest) {
        Buffer buffer = switch (random.nextInt(lowest, 4)) {
            case 0 -> Buffer.INPUT;
            case 1 -> Buffer.OUTPUT;
            case 2 -> Buffer.scratch(0);
            default -> Buffer.scratch(1);
        };
        return new Slice(buffer, random.nextInt(BUFFER - length + 1), length);
    }

    private void walk(Schedule schedule, Aliasing aliasing, Random random, String replay) {
        List<Step> steps = schedule.steps();
        long[] done = new long[steps.size()];
        List<Integer> free = new ArrayList<>();
        do {
            free.clear();
            for (int index = 0; index < done.length; index++) {
                long limit = byEdges(schedule, done, index);
                assertEquals(
                        byElements(steps, aliasing, done, index), limit, replay + " step " + index + " of " + steps);
                comparisons++;
                if (limit > done[index]) {
                    free.add(index);
                }
            }
            if (!free.isEmpty()) {
                done[free.get(random.nextInt(free.size()))]++;
            }
        } while (!free.isEmpty());
        for (int index = 0; index < done.length; index++) {
            assertEquals(steps.get(index).length(), done[index], replay + " step " + index + " is stuck");
        }
    }

    private static long byEdges(Schedule schedule, long[] done, int index) {
        long limit = schedule.steps().get(index).length();
        for (Edge edge : schedule.edges()) {
            if (edge.to() == index) {
                boolean over =
                        done[edge.from()] == schedule.steps().get(edge.from()).length();
                limit = Math.min(limit, edge.limit(done[edge.from()], over));
            }
        }
        return limit;
    }

    private static long byElements(List<Step> steps, Aliasing aliasing, long[] done, int index) {
        Step step = steps.get(index);
        for (long element = 0; element < step.length(); element++) {
            for (int earlier = 0; earlier < index; earlier++) {
                for (long pending = done[earlier]; pending < steps.get(earlier).length(); pending++) {
                    if (Conflicts.between(aliasing, steps.get(earlier), pending, step, element)) {
                        return element;
                    }
                }
            }
        }
        return step.length();
    }
}

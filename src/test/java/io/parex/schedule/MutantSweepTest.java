package io.parex.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.algorithm.Algorithm;
import io.parex.algorithm.DisseminationBarrier;
import io.parex.algorithm.Worlds;
import io.parex.algorithm.Worlds.InPlace;
import io.parex.planner.AlgorithmRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every single step and every single edge of small worlds matters: without it the validator finds a fault. */
class MutantSweepTest {
    private static final int LARGEST_WORLD = 7;

    private int caught;

    @Test
    void shouldCatchEveryDroppedStep() {
        for (WorldSchedules world : worlds()) {
            for (Schedule schedule : world.ranks()) {
                for (int index = 0; index < schedule.steps().size(); index++) {
                    WorldSchedules mutant = Mutations.withoutStep(world, schedule.rank(), index);
                    assertTrue(isCaught(mutant), describe(world, schedule) + " without step " + index);
                }
            }
        }
        assertEquals(1323, caught);
    }

    @Test
    void shouldCatchEveryDroppedEdgeThatOtherEdgesAndMessagesDoNotImply() {
        int implied = 0;
        for (WorldSchedules world : worlds()) {
            if (world.primitive() == Primitive.BARRIER) {
                continue; // Not every barrier needs each of its edges: see below.
            }
            for (Schedule schedule : world.ranks()) {
                for (Edge edge : schedule.edges()) {
                    WorldSchedules mutant = Mutations.withoutEdge(world, schedule.rank(), edge);
                    boolean harmless =
                            new ElementCausality(mutant).ordersAllConflicts(schedule.rank(), edge.from(), edge.to());
                    implied += harmless ? 1 : 0;
                    assertEquals(!harmless, isCaught(mutant), describe(world, schedule) + " without " + edge);
                }
            }
        }
        assertEquals(125, implied);
        assertEquals(538, caught);
    }

    @Test
    void shouldCatchEveryDroppedEdgeToASendOfABarrierOfEight() {
        WorldSchedules world = Worlds.of(new DisseminationBarrier(), 8, 0, 0, InPlace.NONE);
        for (Schedule schedule : world.ranks()) {
            for (Edge edge : schedule.edges()) {
                if (schedule.steps().get(edge.to()) instanceof Step.Send) {
                    WorldSchedules mutant = Mutations.withoutEdge(world, schedule.rank(), edge);
                    assertTrue(isCaught(mutant), describe(world, schedule) + " without " + edge);
                }
            }
        }
        assertEquals(8 * 2, caught);
    }

    private boolean isCaught(WorldSchedules mutant) {
        try {
            ScheduleValidator.validateThoroughly(mutant);
            return false;
        } catch (ScheduleFault fault) {
            assertTrue(fault.getMessage().contains("rank"), fault::getMessage);
            caught++;
            return true;
        }
    }

    private static String describe(WorldSchedules world, Schedule schedule) {
        return schedule.algorithm() + " on " + schedule.size() + " ranks, in place "
                + world.problem(0).inPlace() + ", rank " + schedule.rank();
    }

    private static List<WorldSchedules> worlds() {
        List<WorldSchedules> worlds = new ArrayList<>();
        for (Algorithm algorithm : AlgorithmRegistry.standard().all()) {
            for (int size = 2; size <= LARGEST_WORLD; size++) {
                int count = algorithm.primitive() == Primitive.BARRIER ? 0 : 2 * size + 1;
                worlds.add(Worlds.of(algorithm, size, count, 0, InPlace.NONE));
                if (algorithm.primitive() == Primitive.ALL_REDUCE) {
                    worlds.add(Worlds.of(algorithm, size, count, 0, InPlace.ALL));
                }
            }
        }
        return worlds;
    }
}

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every single step and every single edge of small worlds matters: without it the validator finds a fault. */
class MutantSweepTest {
    private static final int SMALL = 5;
    private static final int LARGE = 7;

    private int caught;

    @Test
    void shouldCatchEveryDroppedStep() {
        dropSteps(worlds(2, SMALL));
        assertCaught(3_000);
    }

    @Tag("slow")
    @Test
    void shouldCatchEveryDroppedStepOfLargerWorlds() {
        dropSteps(worlds(SMALL + 1, LARGE));
        assertCaught(5_000);
    }

    private void dropSteps(List<WorldSchedules> worlds) {
        for (WorldSchedules world : worlds) {
            for (Schedule schedule : world.ranks()) {
                for (int index = 0; index < schedule.steps().size(); index++) {
                    WorldSchedules mutant = Mutations.withoutStep(world, schedule.rank(), index);
                    assertTrue(isCaught(mutant), describe(world, schedule) + " without step " + index);
                }
            }
        }
    }

    @Test
    void shouldCatchEverySliceThatIsOffByOne() {
        for (WorldSchedules world : worlds(4, SMALL)) {
            for (Schedule schedule : world.ranks()) {
                for (int index = 0; index < schedule.steps().size(); index++) {
                    for (int slice = 0; slice < slices(schedule.steps().get(index)); slice++) {
                        String what = describe(world, schedule) + " step " + index + " slice " + slice;
                        assertTrue(isOffByOneCaught(world, schedule.rank(), index, slice), what);
                    }
                }
            }
        }
        assertCaught(3_000);
    }

    private static int slices(Step step) {
        return step.length() == 0
                ? 0
                : StepSlices.reads(step).size() + StepSlices.writes(step).size();
    }

    private boolean isOffByOneCaught(WorldSchedules world, int rank, int index, int slice) {
        try {
            return isCaught(Mutations.step(world, rank, index, step -> Mutations.moved(step, slice)));
        } catch (IllegalArgumentException refused) {
            // The builder finds slices that overlap others of the step, or end after their buffer.
            caught++;
            return true;
        }
    }

    @Test
    void shouldCatchEverySwappedPeer() {
        for (WorldSchedules world : worlds(4, SMALL)) {
            for (Schedule schedule : world.ranks()) {
                for (int index = 0; index < schedule.steps().size(); index++) {
                    if (schedule.steps().get(index) instanceof Step.Send send) {
                        Ring ring = new Ring(world.size());
                        int next = ring.right(send.peer());
                        int peer = next == schedule.rank() ? ring.right(next) : next;
                        WorldSchedules mutant = Mutations.step(
                                world, schedule.rank(), index, step -> new Step.Send(peer, send.source(), 0));
                        assertTrue(isCaught(mutant), describe(world, schedule) + " step " + index + " to " + peer);
                    }
                }
            }
        }
        assertCaught(1_000);
    }

    @Test
    void shouldCatchEveryDroppedEdgeThatOtherEdgesAndMessagesDoNotImply() {
        assertTrue(dropEdges(worlds(2, SMALL)) < caught, "most edges are said to be implied");
        assertCaught(200);
    }

    @Tag("slow")
    @Test
    void shouldCatchEveryDroppedEdgeOfLargerWorlds() {
        dropEdges(worlds(SMALL + 1, LARGE));
        assertCaught(400);
    }

    /** The number of edges that are implied. */
    private int dropEdges(List<WorldSchedules> worlds) {
        int implied = 0;
        for (WorldSchedules world : worlds) {
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
        return implied;
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

    private void assertCaught(int atLeast) {
        assertTrue(caught >= atLeast, "too few mutants: " + caught);
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
        return schedule.primitive().label() + " " + schedule.algorithm() + " on " + schedule.size()
                + " ranks, in place " + world.problem(0).inPlace() + ", rank " + schedule.rank();
    }

    private static List<WorldSchedules> worlds(int smallest, int largest) {
        List<WorldSchedules> worlds = new ArrayList<>();
        for (Algorithm algorithm : AlgorithmRegistry.standard().all()) {
            Primitive primitive = algorithm.primitive();
            for (int size = smallest; size <= largest; size++) {
                int root = primitive.rooted() ? size / 2 : 0;
                int count = primitive == Primitive.BARRIER ? 0 : primitive.isBlocked() ? 3 : 2 * size + 1;
                worlds.add(Worlds.of(algorithm, size, count, root, InPlace.NONE));
                if (primitive.isBlocked() && algorithm.handles(primitive.vForm(), size)) {
                    worlds.add(Worlds.uneven(algorithm, size, 3, root, InPlace.ALL));
                } else if (primitive != Primitive.BARRIER && primitive != Primitive.BROADCAST) {
                    worlds.add(Worlds.of(algorithm, size, count, root, InPlace.ALL));
                }
            }
        }
        return worlds;
    }
}

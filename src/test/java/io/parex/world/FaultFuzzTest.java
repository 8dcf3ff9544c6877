package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.simulator.Sabotage;
import io.parex.simulator.Simulation;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Processes that vanish and come back, connections that break, stall and are slow, under ranks that make correct calls.
 * A failure names its seed; {@code -Dparex.seed=N} runs that one alone, step by step the same.
 */
class FaultFuzzTest {
    private static final System.Logger LOG = System.getLogger(FaultFuzzTest.class.getName());

    private static final Sabotage NOTHING_PLANTED = new Sabotage() {};

    private static FaultTable runSeeds(long seeds, int scale) {
        FaultTable table = new FaultTable();
        Long wanted = Long.getLong("parex.seed");
        for (long seed = wanted == null ? 0 : wanted; seed < (wanted == null ? seeds : wanted + 1); seed++) {
            run(seed, scale, table, NOTHING_PLANTED);
        }
        LOG.log(System.Logger.Level.INFO, () -> table.toString());
        return table;
    }

    static void run(long seed, int scale, FaultTable table, Sabotage planted) {
        FaultRun run = new FaultRun(seed, scale, Simulation.Weather.ROUGH_WIRED, table, planted);
        try {
            run.run();
            new FaultChecks(run).check();
        } catch (AssertionError e) {
            throw new AssertionError("replay with -Dparex.seed=" + seed + ": " + e.getMessage() + "\n" + run, e);
        }
        run.world().simulation().close();
    }

    @Test
    void shouldKeepItsPromisesWhateverFails() {
        runSeeds(50, 3);
    }

    /** As many operations and faults as the plan of the protocol asks for, and each fault in each phase of a link. */
    @Test
    @Tag("slow")
    void shouldMeetEveryFaultInEveryPhaseOfALink() {
        FaultTable table = runSeeds(500, 20);
        if (Long.getLong("parex.seed") == null) {
            assertTrue(table.operationsPerSeed() >= 500, table.toString());
            assertTrue(table.faultsPerSeed() >= 5, table.toString());
            assertEquals(List.of(), table.empty(), table.toString());
        }
    }
}

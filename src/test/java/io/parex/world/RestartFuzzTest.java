package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.simulator.Sabotage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Programs that come to their end with the right bits, however often ranks are started again. A seed that fails is
 * replayed with {@code -Dparex.seed=N}.
 */
class RestartFuzzTest {
    private static final System.Logger LOG = System.getLogger(RestartFuzzTest.class.getName());

    static void run(long seed, Sabotage planted) {
        RestartRun run = new RestartRun(seed, planted);
        try {
            run.run();
        } catch (AssertionError e) {
            throw new AssertionError("replay with -Dparex.seed=" + seed + ": " + e.getMessage() + "\n" + run, e);
        }
    }

    private static void runSeeds(int seeds) {
        Long wanted = Long.getLong("parex.seed");
        long restarts = 0;
        long recovered = 0;
        for (long seed = wanted == null ? 0 : wanted; seed < (wanted == null ? seeds : wanted + 1); seed++) {
            RestartRun run = new RestartRun(seed, new Sabotage() {});
            try {
                run.run();
            } catch (AssertionError e) {
                throw new AssertionError("replay with -Dparex.seed=" + seed + ": " + e.getMessage() + "\n" + run, e);
            }
            restarts += run.restarts();
            recovered += run.recovered();
        }
        String counted = seeds + " seeds, " + restarts + " starts of processes again, " + recovered + " recoveries";
        LOG.log(System.Logger.Level.INFO, counted);
        assertTrue(wanted != null || restarts > seeds && recovered > restarts, counted);
    }

    @Test
    void shouldComeToTheEndHoweverOftenRanksAreStartedAgain() {
        runSeeds(40);
    }

    @Test
    @Tag("slow")
    void shouldComeToTheEndForManySeeds() {
        runSeeds(500);
    }
}

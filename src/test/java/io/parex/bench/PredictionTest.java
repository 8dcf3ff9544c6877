package io.parex.bench;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.bench.Tuning.Measured;
import io.parex.planner.CostFit;
import io.parex.planner.CostTable;
import io.parex.planner.LinkCosts;
import io.parex.planner.LinkKind;
import io.parex.schedule.Primitive;
import io.parex.world.LocalWorld;
import io.parex.world.WorldOptions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whether the order in which algorithms are predicted is the one in which they come in, on the machine that this runs
 * on. Near ties may be predicted either way.
 */
@Tag("slow")
class PredictionTest {
    private static final System.Logger LOG = System.getLogger(PredictionTest.class.getName());
    private static final int RANKS = 4;
    private static final double[] BYTES = {64, 64 << 10, 4 << 20};

    /** How much longer than the fastest algorithm the one that is predicted to be the fastest may take. */
    private static final double NEAR = 2;

    /** Of two that are predicted to differ by this factor, the faster must not be the slower. */
    private static final double CLEAR = 3;

    @Test
    void shouldPredictTheOrderOfAlgorithms() {
        List<Measured> calls;
        try (Tuning tuning = new Tuning(List.of(LocalWorld.start(RANKS, WorldOptions.DEFAULT)))) {
            calls = tuning.measure(activity -> LOG.log(System.Logger.Level.INFO, activity));
        }
        LinkCosts built = CostTable.standard().of(LinkKind.MEMORY);
        CostFit.Fit fit = Tuning.fit(calls, built);
        LOG.log(System.Logger.Level.INFO, "measured {0}, off by a factor of {1}", fit.costs(), fit.factor());
        assertAll(
                () -> check(calls, Primitive.ALL_REDUCE, built),
                () -> check(calls, Primitive.ALL_REDUCE, fit.costs()),
                () -> check(calls, Primitive.BROADCAST, fit.costs()),
                () -> assertTrue(fit.factor() < 2, "predictions are off by " + fit.factor()));
        // Where nothing costs anything but waiting for an answer, the order is another one.
        LinkCosts onlyRounds = new LinkCosts(LinkKind.MEMORY, 1, 0, 0, 0, 0, 0);
        assertThrows(AssertionError.class, () -> check(calls, Primitive.ALL_REDUCE, onlyRounds));
    }

    private static void check(List<Measured> calls, Primitive primitive, LinkCosts costs) {
        for (double bytes : BYTES) {
            List<Measured> order = calls.stream()
                    .filter(call -> call.algorithm().primitive() == primitive
                            && call.shape().bytes() == bytes)
                    .sorted(Comparator.comparingDouble(call -> predicted(call, costs)))
                    .toList();
            double fastest = order.stream().mapToDouble(Measured::seconds).min().orElseThrow();
            String all = order.stream()
                    .map(call -> "%s %.0f us, predicted %.0f us"
                            .formatted(call.algorithm().name(), 1e6 * call.seconds(), 1e6 * predicted(call, costs)))
                    .collect(Collectors.joining("; ", primitive.label() + " of " + (long) bytes + " bytes: ", ""));
            LOG.log(System.Logger.Level.INFO, all);
            assertTrue(order.getFirst().seconds() <= NEAR * fastest, all);
            for (Measured one : order) {
                for (Measured other : order) {
                    boolean clear = predicted(one, costs) * CLEAR < predicted(other, costs);
                    assertTrue(!clear || one.seconds() < other.seconds(), all);
                }
            }
        }
    }

    private static double predicted(Measured call, LinkCosts costs) {
        return costs.seconds(call.algorithm().effort(call.shape()));
    }
}

package io.parex.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.algorithm.Algorithm;
import io.parex.algorithm.Effort;
import io.parex.algorithm.Shape;
import io.parex.schedule.Primitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CostFitTest {
    private static final LinkCosts TRUE = new LinkCosts(LinkKind.LOOPBACK, 11e-6, 4e-6, 3e-10, 9e-11, 2, 0);
    private static final LinkCosts GUESS = new LinkCosts(LinkKind.LOOPBACK, 1e-6, 1e-6, 1e-9, 1e-9, 2, 0);
    private static final double CALL = 7e-6;
    private static final double NOISE = 0.1;

    private static List<CostFit.Observation> observations(Random noise) {
        List<CostFit.Observation> seen = new ArrayList<>();
        for (Primitive primitive : List.of(Primitive.BARRIER, Primitive.BROADCAST, Primitive.ALL_REDUCE)) {
            for (Algorithm algorithm : AlgorithmRegistry.standard().of(primitive)) {
                if (algorithm.looksAtHosts()) {
                    // Here it is the same as another.
                    continue;
                }
                for (int bytes : new int[] {64, 4 << 10, 64 << 10, 1 << 20, 8 << 20}) {
                    Effort effort = algorithm.effort(Shape.of(4, primitive == Primitive.BARRIER ? 0 : bytes));
                    double seconds = CALL + TRUE.seconds(effort);
                    seen.add(new CostFit.Observation(effort, seconds * (1 + noise.nextGaussian() * NOISE)));
                }
            }
        }
        return seen;
    }

    @Test
    void shouldFindTheCostsBehindTimes() {
        CostFit.Fit fit = CostFit.of(observations(new Random(1)), GUESS);
        assertEquals(TRUE.latency(), fit.costs().latency(), 0.25 * TRUE.latency());
        assertEquals(TRUE.overhead(), fit.costs().overhead(), 0.25 * TRUE.overhead());
        assertEquals(TRUE.perByte(), fit.costs().perByte(), 0.1 * TRUE.perByte());
        assertEquals(TRUE.perReducedByte(), fit.costs().perReducedByte(), 0.25 * TRUE.perReducedByte());
        assertEquals(2, fit.costs().atOnce());
        assertEquals(LinkKind.LOOPBACK, fit.costs().kind());
        assertTrue(fit.factor() < 1 + 1.5 * NOISE, () -> "off by " + fit.factor());
    }

    /** A call that was disturbed counts as one, however long it took. */
    @Test
    void shouldNotFollowASingleCall() {
        List<CostFit.Observation> seen = observations(new Random(2));
        CostFit.Observation first = seen.getFirst();
        seen.set(0, new CostFit.Observation(first.effort(), 1000 * first.seconds()));
        CostFit.Fit fit = CostFit.of(seen, GUESS);
        assertEquals(TRUE.perByte(), fit.costs().perByte(), 0.1 * TRUE.perByte());
        assertEquals(TRUE.overhead(), fit.costs().overhead(), 0.3 * TRUE.overhead());
    }
}

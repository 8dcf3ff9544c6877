package io.parex.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ParexException;
import io.parex.algorithm.Algorithm;
import io.parex.algorithm.BinomialBroadcast;
import io.parex.algorithm.ChainBroadcast;
import io.parex.algorithm.DisseminationBarrier;
import io.parex.algorithm.RecursiveDoublingAllReduce;
import io.parex.algorithm.RingAllReduce;
import io.parex.schedule.Problem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Simulated times beside the formulas of the literature, where a network is simple enough to have them. */
class ScheduleSimulationTest {
    private static final double LATENCY = 50e-6;
    private static final double BANDWIDTH = 25e9 / 8;
    private static final double COMBINE = 1e12;
    private static final PricedNetwork NETWORK =
            new PricedNetwork(LATENCY, BANDWIDTH, LATENCY, BANDWIDTH, 0, COMBINE, 1);

    private static double seconds(PricedNetwork network, Algorithm algorithm, int size, long count) {
        return ScheduleSimulation.seconds(
                network,
                size,
                rank -> algorithm.schedule(Problem.of(algorithm.primitive(), rank, size, count, 0, false)),
                4,
                4);
    }

    private static void assertNear(double expected, double found) {
        assertEquals(expected, found, 0.02 * expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 8, 16, 33})
    void shouldTakeALatencyForEachRoundOfABarrier(int size) {
        int rounds = 32 - Integer.numberOfLeadingZeros(size - 1);
        assertNear(rounds * LATENCY, seconds(NETWORK, new DisseminationBarrier(), size, 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 8, 16})
    void shouldTakeARingAsLongAsItsBytesNeed(int size) {
        long bytes = 1L << 30;
        double wire = 2.0 * (size - 1) / size * bytes / BANDWIDTH;
        assertNear(wire, seconds(NETWORK, new RingAllReduce(), size, bytes / 4));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 8, 16})
    void shouldTakeARingOfFewBytesAsLongAsItsSteps(int size) {
        assertNear(2.0 * (size - 1) * LATENCY, seconds(NETWORK, new RingAllReduce(), size, size));
    }

    @Test
    void shouldPassAPipelineOnWhileItFills() {
        long bytes = 1L << 30;
        assertNear(bytes / BANDWIDTH, seconds(NETWORK, new ChainBroadcast(), 8, bytes / 4));
        assertNear(3 * bytes / BANDWIDTH, seconds(NETWORK, new BinomialBroadcast(), 8, bytes / 4));
        assertNear(7 * LATENCY, seconds(NETWORK, new ChainBroadcast(), 8, 1));
        assertNear(3 * LATENCY, seconds(NETWORK, new BinomialBroadcast(), 8, 1));
    }

    @Test
    void shouldCountTheTimeOfAddingUp() {
        PricedNetwork slow = new PricedNetwork(0, 1e12, 0, 1e12, 0, 1e9, 1);
        long bytes = 1L << 28;
        assertNear(3 * bytes / 1e9, seconds(slow, new RecursiveDoublingAllReduce(), 8, bytes / 4));
        assertNear(7.0 / 8 * bytes / 1e9, seconds(slow, new RingAllReduce(), 8, bytes / 4));
    }

    @Test
    void shouldCountTheTimeOfARankForEachMessage() {
        double overhead = 10e-6;
        PricedNetwork busy = new PricedNetwork(LATENCY, BANDWIDTH, LATENCY, BANDWIDTH, overhead, COMBINE, 1);
        assertNear(4 * (LATENCY + overhead), seconds(busy, new DisseminationBarrier(), 16, 0));
    }

    /** Four ranks of a host send at once through its one card, unless they send to each other. */
    @Test
    void shouldShareTheCardOfAHost() {
        long bytes = 1L << 26;
        PricedNetwork shared = new PricedNetwork(LATENCY, BANDWIDTH, 1e-6, 1e12, 0, COMBINE, 4);
        double recursive = seconds(shared, new RecursiveDoublingAllReduce(), 8, bytes / 4);
        assertNear(4 * bytes / BANDWIDTH, recursive);
        double ring = seconds(shared, new RingAllReduce(), 8, bytes / 4);
        assertNear(2.0 * 7 / 8 * bytes / BANDWIDTH, ring);
    }

    @Test
    void shouldSimulateAThousandRanks() {
        long began = System.nanoTime();
        double ring = seconds(NETWORK, new RingAllReduce(), 1024, (1L << 30) / 4);
        assertNear(2.0 * 1023 / 1024 * (1L << 30) / BANDWIDTH, ring);
        assertTrue(Duration.ofNanos(System.nanoTime() - began).toSeconds() < 60, "took too long");
    }

    @Test
    void shouldRefuseANetworkThatCannotBe() {
        for (Executable wrong : List.<Executable>of(
                () -> new PricedNetwork(-1, 1, 0, 1, 0, 1, 1),
                () -> new PricedNetwork(0, 0, 0, 1, 0, 1, 1),
                () -> new PricedNetwork(0, Double.NaN, 0, 1, 0, 1, 1),
                () -> new PricedNetwork(0, 1, 0, 1, 0, 1, 0))) {
            assertThrows(ParexException.class, wrong);
        }
    }
}

package io.parex.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.algorithm.Algorithm;
import io.parex.algorithm.RingAllReduce;
import io.parex.algorithm.Shape;
import io.parex.schedule.Placement;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The closed formulas beside the simulation of the very schedules. */
class EffortTest {
    private static final double LATENCY = 30e-6;
    private static final double OVERHEAD = 6e-6;
    private static final double BANDWIDTH = 2e9;
    private static final double COMBINE = 1e10;
    private static final LinkCosts COSTS =
            new LinkCosts(LinkKind.NETWORK, LATENCY, OVERHEAD, 1 / BANDWIDTH, 1 / COMBINE, 0, 0);
    private static final PricedNetwork NETWORK =
            new PricedNetwork(LATENCY, BANDWIDTH, LATENCY, BANDWIDTH, OVERHEAD / 2, COMBINE, 1);
    private static final int[] SIZES = {3, 4, 5, 8, 13, 16, 64};
    private static final int[] BYTES_PER_RANK = {4, 4 << 10, 64 << 10, 4 << 20};

    static Stream<Algorithm> algorithms() {
        return AlgorithmRegistry.standard().all().stream();
    }

    private static double simulated(Algorithm algorithm, int size, long count, int partialBytes) {
        return ScheduleSimulation.seconds(
                NETWORK,
                size,
                rank -> algorithm.schedule(Problem.of(algorithm.primitive(), rank, size, count, 0, false)),
                4,
                partialBytes);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void shouldPredictWhatSchedulesTake(Algorithm algorithm) {
        for (int size : SIZES) {
            for (int bytes : BYTES_PER_RANK) {
                for (int partialBytes : algorithm.primitive().reducing() ? List.of(4, 8) : List.of(4)) {
                    long count = (long) bytes / 4 * size;
                    Shape shape = new Shape(size, 4.0 * count, 4, partialBytes);
                    double ratio =
                            COSTS.seconds(algorithm.effort(shape)) / simulated(algorithm, size, count, partialBytes);
                    String what = "%s %s of %d bytes on %d ranks: %.2f"
                            .formatted(algorithm.primitive().label(), algorithm.name(), 4 * count, size, ratio);
                    assertTrue(ratio > 0.5 && ratio < 2.25, what);
                }
            }
        }
    }

    /** Ranks that share hosts; what goes on within hosts may hide behind what goes on between them. */
    @Test
    void shouldPredictWhatHierarchiesTake() {
        LinkCosts within = new LinkCosts(LinkKind.LOOPBACK, 3e-6, OVERHEAD, 1 / 4e9, 1 / COMBINE, 0, 0);
        LinkCosts costs = new LinkCosts(
                LinkKind.NETWORK, LATENCY, OVERHEAD, 1 / BANDWIDTH, 1 / COMBINE, 0, new LinkCosts.Table(0, within));
        for (Algorithm algorithm : algorithms().filter(Algorithm::looksAtHosts).toList()) {
            for (int hosts : new int[] {2, 3, 8}) {
                for (int each : new int[] {2, 4, 8}) {
                    for (int bytes : new int[] {4 << 10, 1 << 20, 64 << 20}) {
                        PricedNetwork network =
                                new PricedNetwork(LATENCY, BANDWIDTH, 3e-6, 4e9, OVERHEAD / 2, COMBINE, each);
                        Placement placement = Placement.of(hosts * each, rank -> rank / each);
                        Shape shape = new Shape(hosts * each, bytes, 4, 4).on(placement);
                        double simulated = ScheduleSimulation.seconds(
                                network,
                                hosts * each,
                                rank -> algorithm.schedule(
                                        Problem.of(algorithm.primitive(), rank, hosts * each, bytes / 4, 0, false)
                                                .on(placement)),
                                4,
                                4);
                        double ratio = costs.seconds(algorithm.effort(shape), placement) / simulated;
                        String what = "%s of %d bytes on %d x %d ranks: %.2f"
                                .formatted(algorithm.primitive().label(), bytes, hosts, each, ratio);
                        assertTrue(ratio > 0.5 && ratio < 2.25, what);
                    }
                }
            }
        }
    }

    /** Never less, and not much more, but on three ranks, of which some trees have none between root and leaves. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void shouldKnowTheScratchOfTheRankThatNeedsMost(Algorithm algorithm) {
        for (int size : SIZES) {
            long count = 1000L * size;
            long most = 0;
            for (int rank = 0; rank < size; rank++) {
                Problem problem = Problem.of(algorithm.primitive(), rank, size, count, 0, false);
                long scratch = algorithm.schedule(problem).scratch().stream()
                        .filter(buffer -> !buffer.pipe())
                        .mapToLong(Schedule.Scratch::length)
                        .sum();
                most = Math.max(most, scratch);
            }
            double known = algorithm.effort(Shape.of(size, count)).scratchBytes();
            String what = algorithm.primitive().label() + " " + algorithm.name() + " of " + size + ": " + most;
            assertTrue(most <= known && (size == 3 || known <= 2.5 * most), what + " elements, formula " + known);
        }
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void shouldCostNothingAlone(Algorithm algorithm) {
        assertEquals(0, COSTS.seconds(algorithm.effort(Shape.of(1, 1 << 20))), algorithm.name());
    }

    /** Two that work by turns take as long as one that does the work of both. */
    @Test
    void shouldHaveRanksThatShareAProcessorWait() {
        LinkCosts shared = new LinkCosts(LinkKind.MEMORY, 0, 0, 1 / BANDWIDTH, 0, 2, 0);
        Shape shape = Shape.of(8, 1 << 28);
        double alone = 2 * 7 / 8.0 * shape.bytes() / BANDWIDTH;
        assertEquals(4 * alone, shared.seconds(new RingAllReduce().effort(shape)), 0.01 * alone);
    }

    /** Every rank asks on the way of a call whose shape is new. */
    @Test
    void shouldChooseInLessThanAMillisecond() {
        Selector selector = new Selector(AlgorithmRegistry.standard(), AlgorithmOverrides.none(), COSTS);
        long least = Long.MAX_VALUE;
        for (int call = 0; call < 100; call++) {
            long began = System.nanoTime();
            selector.select(Primitive.ALL_REDUCE, Shape.of(1024, 1000 + call), null, false);
            least = Math.min(least, System.nanoTime() - began);
        }
        assertTrue(Duration.ofNanos(least).toMillis() < 1, least + " ns");
    }
}

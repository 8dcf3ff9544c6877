package io.parex.planner;

import io.parex.algorithm.Algorithm;
import io.parex.algorithm.Shape;
import io.parex.schedule.Placement;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What each algorithm of a primitive is predicted to take on a network: its schedule is simulated, or, where all have
 * too many steps, its closed formula is asked. Pure.
 *
 * @param primitive that is called
 * @param shape of the call; blocks are all of one length
 * @param network that joins the ranks
 * @param mostSteps that are simulated, of all ranks and algorithms together, the most promising algorithms first
 */
public record Forecast(Primitive primitive, Shape shape, PricedNetwork network, long mostSteps) {

    public Forecast {
        // The same for all ranks and algorithms.
        shape = shape.on(Placement.of(shape.ranks(), network::host));
    }

    /** How a time was found. */
    public enum Means {
        /** The schedules of all ranks were simulated. */
        SIMULATION,
        /** By the closed formula. */
        FORMULA
    }

    /**
     * The prediction for one algorithm.
     *
     * @param algorithm its name
     * @param seconds from the call of all ranks until the last one is through
     * @param means how that was found
     * @param steps of all ranks together, at most
     */
    public record Prediction(String algorithm, double seconds, Means means, long steps) {}

    /** The predictions for all algorithms of the registry that run the call, the fastest first. */
    public List<Prediction> predictions(AlgorithmRegistry registry) {
        List<Algorithm> promising = registry.of(primitive).stream()
                .filter(algorithm -> algorithm.handles(primitive, shape.ranks()))
                // Where no two ranks share a host it is the same as another.
                .filter(algorithm ->
                        !algorithm.looksAtHosts() || shape.placement().isMixed())
                .sorted(Comparator.comparingDouble(this::byFormula))
                .toList();
        List<Prediction> predictions = new ArrayList<>();
        long left = mostSteps;
        for (Algorithm algorithm : promising) {
            // Of some algorithms one rank has more to do, which is mostly the root: more than there are, then.
            long steps = Math.max(steps(algorithm, 0), steps(algorithm, shape.ranks() - 1)) * shape.ranks();
            boolean simulated = steps <= left;
            left -= simulated ? steps : 0;
            predictions.add(new Prediction(
                    algorithm.name(),
                    simulated ? simulated(algorithm) : byFormula(algorithm),
                    simulated ? Means.SIMULATION : Means.FORMULA,
                    steps));
        }
        predictions.sort(Comparator.comparingDouble(Prediction::seconds));
        return predictions;
    }

    private double simulated(Algorithm algorithm) {
        return ScheduleSimulation.seconds(
                network,
                shape.ranks(),
                rank -> algorithm.schedule(problem(rank)),
                shape.valueBytes(),
                shape.partialBytes());
    }

    private double byFormula(Algorithm algorithm) {
        return formula().seconds(algorithm.effort(shape), shape.placement());
    }

    private long steps(Algorithm algorithm, int rank) {
        return algorithm.schedule(problem(rank)).steps().size();
    }

    private Problem problem(int rank) {
        return Problem.of(primitive, rank, shape.ranks(), (long) shape.bytes() / shape.valueBytes(), 0, false)
                .on(shape.placement());
    }

    private LinkCosts formula() {
        return new LinkCosts(
                LinkKind.NETWORK,
                network.latency(),
                2 * network.overhead(),
                1 / network.bandwidth(),
                1 / network.combine(),
                0,
                new LinkCosts.Table(
                        0,
                        new LinkCosts(
                                LinkKind.LOOPBACK,
                                network.latency(true),
                                2 * network.overhead(),
                                1 / network.bandwidth(true),
                                1 / network.combine(),
                                0,
                                0)));
    }
}

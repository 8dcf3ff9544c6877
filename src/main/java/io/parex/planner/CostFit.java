package io.parex.planner;

import io.parex.algorithm.Effort;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;

/**
 * The costs of links that explain measured times best: such that the predictions are off by the least factor on
 * average, so that short calls count as much as long ones and a few disturbed ones do not. What every call takes,
 * whatever it does, is found beside them and left out. Searched one cost at a time, by ever smaller factors. Pure.
 */
public final class CostFit {
    private static final double FIRST_FACTOR = 4;
    private static final double LAST_FACTOR = 1.005;
    private static final MathContext DIGITS = new MathContext(3);

    /** A cost that seems to be nothing is tried from here, in seconds and seconds per byte. */
    private static final double[] LEAST = {1e-8, 1e-8, 1e-8, 1e-13, 1e-13};

    private final List<Observation> observations;
    private final LinkCosts start;

    /**
     * A measured call.
     *
     * @param effort what it took
     * @param seconds how long it took, above 0
     */
    public record Observation(Effort effort, double seconds) {}

    /**
     * What was found.
     *
     * @param costs of the links
     * @param factor by which the prediction of a measured call is off, in the geometric mean
     */
    public record Fit(LinkCosts costs, double factor) {}

    private CostFit(List<Observation> observations, LinkCosts start) {
        this.observations = observations;
        this.start = start;
    }

    /** The costs that fit best, of the kind of links and for as many ranks at once as {@code start} has. */
    public static Fit of(List<Observation> observations, LinkCosts start) {
        return new CostFit(List.copyOf(observations), start).search();
    }

    private Fit search() {
        // of a call, latency, overhead, per byte, per reduced byte
        double[] found = {start.latency(), start.latency(), start.overhead(), start.perByte(), start.perReducedByte()};
        for (int cost = 0; cost < found.length; cost++) {
            found[cost] = Math.max(found[cost], LEAST[cost]);
        }
        double error = error(found);
        for (double factor = FIRST_FACTOR; factor > LAST_FACTOR; ) {
            double before = error;
            for (int cost = 0; cost < found.length; cost++) {
                for (double by : new double[] {factor, 1 / factor}) {
                    double[] tried = Arrays.copyOf(found, found.length);
                    tried[cost] = Math.max(LEAST[cost], tried[cost] * by);
                    double tryError = error(tried);
                    if (tryError < error) {
                        error = tryError;
                        found = tried;
                    }
                }
            }
            if (error >= before) {
                factor = Math.sqrt(factor);
            }
        }
        LinkCosts rounded = costs(Arrays.stream(found).map(CostFit::rounded).toArray());
        return new Fit(rounded, Math.exp(error));
    }

    /** To as many digits as there is something to. */
    private static double rounded(double value) {
        return new BigDecimal(value).round(DIGITS).doubleValue();
    }

    private LinkCosts costs(double[] found) {
        return new LinkCosts(start.kind(), found[1], found[2], found[3], found[4], start.atOnce(), 0);
    }

    private double error(double[] found) {
        LinkCosts costs = costs(found);
        return observations.stream()
                .mapToDouble(seen -> Math.abs(Math.log((found[0] + costs.seconds(seen.effort())) / seen.seconds())))
                .average()
                .orElse(0);
    }
}

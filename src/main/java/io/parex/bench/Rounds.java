package io.parex.bench;

import java.util.Arrays;
import java.util.List;

/** From the rounds of a point to its {@link Figures}. */
final class Rounds {

    private Rounds() {}

    /**
     * The figures.
     *
     * @param stride calls that are one exchange, timed together
     */
    static Figures figures(List<Batch> rounds, int stride, long wrong) {
        double[] means = rounds.stream().mapToDouble(Batch::meanNanos).sorted().toArray();
        double[] singles = rounds.stream()
                .flatMapToDouble(round -> Arrays.stream(round.singleNanos(stride)))
                .sorted()
                .toArray();
        return new Figures(
                rounds.getFirst().calls(),
                median(means),
                singles[0],
                quantile(singles, 0.50),
                quantile(singles, 0.99),
                wrong);
    }

    /** The middle, or the mean of the two in the middle, of ascending values. */
    static double median(double[] ascending) {
        int middle = ascending.length / 2;
        return ascending.length % 2 == 1 ? ascending[middle] : (ascending[middle - 1] + ascending[middle]) / 2;
    }

    /** The least of ascending values that a {@code share} of them does not exceed. */
    static double quantile(double[] ascending, double share) {
        int rank = (int) Math.ceil(share * ascending.length);
        return ascending[Math.clamp(rank, 1, ascending.length) - 1];
    }
}

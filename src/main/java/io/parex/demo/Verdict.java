package io.parex.demo;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether the data-parallel training did what the plain loop did.
 *
 * @param accuracy held-out accuracy after the last epoch, 0 to 1
 * @param differences relative difference from the plain loop, epoch by epoch
 * @param parameterDifference largest difference of a trained parameter from the plain loop's, relative to the largest
 *     parameter
 * @param parametersEqual whether all workers ended with the same parameters, bit for bit
 */
record Verdict(double accuracy, List<Double> differences, double parameterDifference, boolean parametersEqual) {
    static final double MIN_ACCURACY = 0.95;
    static final double MAX_DIFFERENCE = 1e-4;

    /** Compares two trainings by one recipe. */
    static Verdict of(Training.Outcome outcome, PlainTraining.Result reference) {
        List<EpochResult> epochs = outcome.epochs();
        if (epochs.size() != reference.epochs().size()) {
            throw new IllegalArgumentException(
                    epochs.size() + " epochs against " + reference.epochs().size());
        }
        List<Double> differences = new ArrayList<>();
        for (int i = 0; i < epochs.size(); i++) {
            differences.add(epochs.get(i).difference(reference.epochs().get(i)));
        }
        return new Verdict(
                epochs.getLast().accuracy(),
                List.copyOf(differences),
                parameterDifference(outcome.parameters(), reference.parameters()),
                outcome.parametersEqual());
    }

    /** Sees what the epochs' results cannot: some pixels are blank in every digit, so their weights decide nothing. */
    private static double parameterDifference(float[] parameters, float[] reference) {
        double difference = 0;
        double largest = 0;
        for (int i = 0; i < reference.length; i++) {
            difference = Math.max(difference, Math.abs((double) parameters[i] - reference[i]));
            largest = Math.max(largest, Math.abs(reference[i]));
        }
        return difference / largest;
    }

    boolean accuracyHeld() {
        return accuracy >= MIN_ACCURACY;
    }

    /** The largest of all epochs; NaN if any is, and NaN holds nothing. */
    double largestDifference() {
        return differences.stream().mapToDouble(Double::doubleValue).reduce(0, Math::max);
    }

    boolean differenceHeld() {
        return largestDifference() <= MAX_DIFFERENCE;
    }

    boolean parameterDifferenceHeld() {
        return parameterDifference <= MAX_DIFFERENCE;
    }

    boolean held() {
        return accuracyHeld() && differenceHeld() && parameterDifferenceHeld() && parametersEqual;
    }
}

package io.parex.demo;

/**
 * Where a training stands after an epoch.
 *
 * @param epoch 1 for the first
 * @param loss mean cross-entropy of a training digit, in nats
 * @param accuracy share of the held-out digits recognised, 0 to 1
 */
record EpochResult(int epoch, double loss, double accuracy) {

    /** The larger relative difference, of loss or accuracy, from a reference; NaN where either is not a number. */
    double difference(EpochResult reference) {
        return Math.max(relative(loss, reference.loss), relative(accuracy, reference.accuracy));
    }

    private static double relative(double value, double reference) {
        return value == reference ? 0 : Math.abs(value - reference) / Math.abs(reference);
    }
}

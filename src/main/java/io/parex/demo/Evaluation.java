package io.parex.demo;

/**
 * How well parameters do on some digits, in sums so that parts add up.
 *
 * @param lossSum cross-entropy summed over the digits, in nats
 * @param correct digits whose likeliest class is the right one
 * @param count digits looked at
 */
record Evaluation(double lossSum, int correct, int count) {
    static final Evaluation NONE = new Evaluation(0, 0, 0);

    Evaluation plus(Evaluation other) {
        return new Evaluation(lossSum + other.lossSum, correct + other.correct, count + other.count);
    }

    /** Mean cross-entropy of a digit, in nats. */
    double loss() {
        return lossSum / count;
    }

    /** Share of digits recognised, 0 to 1. */
    double accuracy() {
        return (double) correct / count;
    }
}

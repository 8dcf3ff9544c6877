package io.parex.demo;

import io.parex.ParexException;

/**
 * Everything that decides the outcome of a training, so that two trainings by one recipe can be compared epoch by
 * epoch.
 *
 * @param hidden hidden units of the perceptron
 * @param trainingCount digits to train on, a multiple of {@code batchCount}; the rest is held out
 * @param batchCount digits of a step, over all workers
 * @param epochs passes over the training digits
 * @param learningRate step size
 * @param momentum share of the velocity kept from step to step, 0 to 1
 * @param seed of the split, the first parameters and the order of the digits
 */
record Recipe(
        int hidden, int trainingCount, int batchCount, int epochs, double learningRate, double momentum, long seed) {

    /**
     * What {@code parex demo} trains: 600 steps; 96 digits a step can be shared by 1, 2, 3, 4, 6, 8, 12, ... workers.
     */
    static final Recipe STANDARD = new Recipe(256, 1440, 96, 40, 0.1, 0.9, 1797);

    Recipe {
        if (hidden < 1
                || batchCount < 1
                || epochs < 1
                || trainingCount < batchCount
                || trainingCount % batchCount != 0) {
            throw ParexException.argument("recipe of " + hidden + " hidden units, " + epochs + " epochs, "
                    + trainingCount + " digits in steps of " + batchCount + ": all must be positive, and steps whole");
        }
    }

    Recipe withEpochs(int count) {
        return new Recipe(hidden, trainingCount, batchCount, count, learningRate, momentum, seed);
    }

    /**
     * Refuses numbers of workers that cannot share a step equally: only the average of equal parts' mean gradients is
     * the mean gradient of the whole step.
     */
    void requireShareable(int workers) {
        if (workers < 1 || batchCount % workers != 0) {
            throw ParexException.argument(workers + " workers cannot share steps of " + batchCount
                    + " digits equally; nothing was started, choose a number of workers that divides it");
        }
    }

    int stepsPerEpoch() {
        return trainingCount / batchCount;
    }

    /** The data set, shuffled by the seed and split. */
    Digits.Split digits() {
        return Digits.load().shuffled(seed).split(trainingCount);
    }

    /** The order of the training digits in {@code epoch} (0 is the first); the same on every worker. */
    int[] order(int epoch) {
        return Digits.permutation(trainingCount, seed * 1_000_003 + epoch + 1);
    }

    /** Step {@code step} (0 to {@code stepsPerEpoch - 1}) of an epoch with this order. */
    Batch batch(Digits training, int[] order, int step) {
        return new Batch(training, order, step * batchCount, (step + 1) * batchCount);
    }
}

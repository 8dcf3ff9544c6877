package io.parex.demo;

import java.util.ArrayList;
import java.util.List;

/**
 * The reference: the training as one loop on one thread, each step over the whole batch. It exchanges nothing, so
 * whatever Parex did to the gradients of the data-parallel training shows as a difference from this one.
 */
final class PlainTraining {
    private PlainTraining() {}

    /** Trains on the calling thread. */
    static Result run(Recipe recipe, Digits.Split digits) {
        Perceptron perceptron = new Perceptron(recipe.hidden());
        perceptron.initialise(recipe.seed());
        Momentum momentum = new Momentum(recipe, perceptron.parameterCount());
        float[] gradients = new float[perceptron.parameterCount()];
        List<EpochResult> results = new ArrayList<>();
        for (int epoch = 0; epoch < recipe.epochs(); epoch++) {
            int[] order = recipe.order(epoch);
            for (int step = 0; step < recipe.stepsPerEpoch(); step++) {
                perceptron.gradients(recipe.batch(digits.training(), order, step), gradients);
                momentum.step(perceptron.parameters(), gradients);
            }
            Evaluation training = perceptron.evaluate(Batch.all(digits.training()));
            Evaluation heldOut = perceptron.evaluate(Batch.all(digits.heldOut()));
            results.add(new EpochResult(epoch + 1, training.loss(), heldOut.accuracy()));
        }
        return new Result(results, perceptron.parameters());
    }

    /**
     * What the loop ends with.
     *
     * @param epochs one result per epoch, in order
     * @param parameters the trained parameters, in the layout of {@link Perceptron}
     */
    record Result(List<EpochResult> epochs, float[] parameters) {}
}

package io.parex.demo;

import java.util.Arrays;
import java.util.Random;

/**
 * A multilayer perceptron for {@link Digits}: 64 inputs, one hidden layer of rectified linear units, 10 outputs,
 * softmax and cross-entropy.
 *
 * <p>All parameters are one flat float32 array, and so are all gradients, so that one broadcast or one all_reduce moves
 * them. Layout, with H hidden units: input weights [64][H], hidden biases [H], output weights [10][H], output biases
 * [10].
 *
 * <p>Inside, everything is computed in float64 and rounded once, at the end of a batch: what differs between one worker
 * computing a batch and four sharing it is then only the rounding of what travels. Not thread-safe (it keeps scratch
 * memory); each worker has its own.
 */
final class Perceptron {
    private static final int INPUTS = Digits.PIXELS;
    private static final int CLASSES = Digits.CLASSES;

    private final int hidden;
    private final int hiddenBias;
    private final int outputWeights;
    private final int outputBias;
    private final float[] parameters;

    // Scratch: float64 copies of the parameters and sums of the gradients, and the activations of one digit.
    private final double[] weights;
    private final double[] sums;
    private final double[] input = new double[INPUTS];
    private final double[] activation;
    private final double[] activationDelta;
    private final double[] probability = new double[CLASSES];

    /** All parameters 0. */
    Perceptron(int hidden) {
        this.hidden = hidden;
        hiddenBias = INPUTS * hidden;
        outputWeights = hiddenBias + hidden;
        outputBias = outputWeights + CLASSES * hidden;
        parameters = new float[outputBias + CLASSES];
        weights = new double[parameters.length];
        sums = new double[parameters.length];
        activation = new double[hidden];
        activationDelta = new double[hidden];
    }

    /** The parameters themselves, not a copy: length {@link #parameterCount()}, layout as above. */
    float[] parameters() {
        return parameters;
    }

    /** 64 H + H + 10 H + 10. */
    int parameterCount() {
        return parameters.length;
    }

    /**
     * Sets weights drawn uniformly by the seed (He's bound for rectified units, Glorot's for the outputs), biases 0.
     */
    void initialise(long seed) {
        Random random = new Random(seed);
        Arrays.fill(parameters, 0f);
        draw(random, 0, hiddenBias, Math.sqrt(6.0 / INPUTS));
        draw(random, outputWeights, outputBias, Math.sqrt(6.0 / (hidden + CLASSES)));
    }

    private void draw(Random random, int from, int to, double limit) {
        for (int i = from; i < to; i++) {
            parameters[i] = (float) ((2 * random.nextDouble() - 1) * limit);
        }
    }

    /**
     * Forward and backward over a batch.
     *
     * @param batch one digit or more
     * @param gradients receives the derivative of the batch's mean loss by each parameter, in the parameters' layout
     * @return the mean loss of a digit, in nats
     */
    double gradients(Batch batch, float[] gradients) {
        loadWeights();
        Arrays.fill(sums, 0);
        double lossSum = 0;
        for (int i = 0; i < batch.count(); i++) {
            int sample = batch.sample(i);
            int label = batch.digits().label(sample);
            forward(batch.digits(), sample);
            lossSum += lossOf(label);
            probability[label] -= 1; // now the derivative of the loss by the outputs
            backward();
        }
        for (int i = 0; i < gradients.length; i++) {
            gradients[i] = (float) (sums[i] / batch.count());
        }
        return lossSum / batch.count();
    }

    /** Forward over a batch, which may be empty. */
    Evaluation evaluate(Batch batch) {
        loadWeights();
        double lossSum = 0;
        int correct = 0;
        for (int i = 0; i < batch.count(); i++) {
            int sample = batch.sample(i);
            int label = batch.digits().label(sample);
            forward(batch.digits(), sample);
            lossSum += lossOf(label);
            correct += likeliest() == label ? 1 : 0;
        }
        return new Evaluation(lossSum, correct, batch.count());
    }

    private void loadWeights() {
        for (int i = 0; i < weights.length; i++) {
            weights[i] = parameters[i];
        }
    }

    /** Leaves the activations and the class probabilities of one digit in the scratch memory. */
    private void forward(Digits digits, int sample) {
        digits.copyScaled(sample, input);
        System.arraycopy(weights, hiddenBias, activation, 0, hidden);
        for (int i = 0; i < INPUTS; i++) {
            if (input[i] != 0) { // half of all pixels are blank
                addScaled(activation, 0, input[i], weights, i * hidden, hidden);
            }
        }
        for (int j = 0; j < hidden; j++) {
            activation[j] = Math.max(0, activation[j]);
        }
        for (int k = 0; k < CLASSES; k++) {
            double output = weights[outputBias + k];
            for (int j = 0; j < hidden; j++) {
                output += weights[outputWeights + k * hidden + j] * activation[j];
            }
            probability[k] = output;
        }
        softmax(probability);
    }

    /** Adds the gradients of one digit to the sums; {@code probability} holds the derivative by the outputs. */
    private void backward() {
        Arrays.fill(activationDelta, 0);
        for (int k = 0; k < CLASSES; k++) {
            double delta = probability[k];
            sums[outputBias + k] += delta;
            addScaled(sums, outputWeights + k * hidden, delta, activation, 0, hidden);
            addScaled(activationDelta, 0, delta, weights, outputWeights + k * hidden, hidden);
        }
        for (int j = 0; j < hidden; j++) {
            activationDelta[j] = activation[j] > 0 ? activationDelta[j] : 0;
        }
        addScaled(sums, hiddenBias, 1, activationDelta, 0, hidden);
        for (int i = 0; i < INPUTS; i++) {
            if (input[i] != 0) {
                addScaled(sums, i * hidden, input[i], activationDelta, 0, hidden);
            }
        }
    }

    /**
     * {@code to[toAt + j] += factor * from[fromAt + j]}; the one hot loop, plain enough to be vectorised by the JIT.
     */
    private static void addScaled(double[] to, int toAt, double factor, double[] from, int fromAt, int count) {
        for (int j = 0; j < count; j++) {
            to[toAt + j] += factor * from[fromAt + j];
        }
    }

    /** In place; subtracts the largest value first so that nothing overflows. */
    private static void softmax(double[] values) {
        double max = Double.NEGATIVE_INFINITY;
        for (double value : values) {
            max = Math.max(max, value);
        }
        double total = 0;
        for (int k = 0; k < values.length; k++) {
            values[k] = StrictMath.exp(values[k] - max);
            total += values[k];
        }
        for (int k = 0; k < values.length; k++) {
            values[k] /= total;
        }
    }

    private double lossOf(int label) {
        // The smallest positive double keeps the loss of a hopeless guess finite.
        return -StrictMath.log(Math.max(probability[label], Double.MIN_VALUE));
    }

    private int likeliest() {
        int best = 0;
        for (int k = 1; k < CLASSES; k++) {
            best = probability[k] > probability[best] ? k : best;
        }
        return best;
    }
}

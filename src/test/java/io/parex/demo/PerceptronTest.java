package io.parex.demo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PerceptronTest {
    private static final Digits DIGITS = Digits.load().shuffled(1);
    private static final Batch BATCH = new Batch(DIGITS, Digits.permutation(DIGITS.count(), 2), 10, 34);

    @Test
    void shouldHoldAllParametersInOneArray() {
        Perceptron perceptron = new Perceptron(5);
        assertEquals(64 * 5 + 5 + 10 * 5 + 10, perceptron.parameterCount());
        assertEquals(perceptron.parameterCount(), perceptron.parameters().length);
    }

    @Test
    void shouldGuessAtRandomBeforeItIsInitialised() {
        Evaluation evaluation = new Perceptron(5).evaluate(BATCH);
        assertEquals(Math.log(10), evaluation.loss(), 1e-12);
        assertEquals(24, evaluation.count());
    }

    /** The test of rounding: a central difference over 2e-3 is as exact as its third derivative allows. */
    @Test
    void shouldComputeTheGradientsThatFiniteDifferencesShow() {
        Perceptron perceptron = new Perceptron(6);
        perceptron.initialise(5);
        float[] parameters = perceptron.parameters();
        float[] gradients = new float[parameters.length];
        double loss = perceptron.gradients(BATCH, gradients);
        assertEquals(loss, perceptron.evaluate(BATCH).loss(), 1e-12);

        for (int i = 0; i < parameters.length; i++) {
            float saved = parameters[i];
            float above = saved + 1e-3f;
            float below = saved - 1e-3f;
            parameters[i] = above;
            double lossAbove = perceptron.evaluate(BATCH).loss();
            parameters[i] = below;
            double lossBelow = perceptron.evaluate(BATCH).loss();
            parameters[i] = saved;
            double expected = (lossAbove - lossBelow) / ((double) above - below);
            assertEquals(expected, gradients[i], 2e-6, "parameter " + i);
        }
    }

    @Test
    void shouldAverageTheGradientsOfEqualShares() {
        Perceptron perceptron = new Perceptron(6);
        perceptron.initialise(5);
        float[] whole = new float[perceptron.parameterCount()];
        perceptron.gradients(BATCH, whole);
        float[] average = new float[whole.length];
        float[] part = new float[whole.length];
        for (int rank = 0; rank < 4; rank++) {
            perceptron.gradients(BATCH.share(rank, 4), part);
            for (int i = 0; i < part.length; i++) {
                average[i] += part[i] / 4;
            }
        }
        assertArrayEquals(whole, average, 1e-7f);
    }

    @Test
    void shouldInitialiseBySeedAlone() {
        Perceptron one = new Perceptron(6);
        Perceptron other = new Perceptron(6);
        one.initialise(5);
        other.initialise(6);
        other.initialise(5);
        assertArrayEquals(one.parameters(), other.parameters());
        assertTrue(one.parameters()[0] != 0);
    }
}

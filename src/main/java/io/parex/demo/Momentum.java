package io.parex.demo;

/**
 * Stochastic gradient descent with momentum: {@code v = m v + g; p = p - rate v}. Holds the velocity of one training;
 * float32 throughout, so that equal gradients keep the parameters of all workers equal bit for bit.
 */
final class Momentum {
    private final float rate;
    private final float momentum;
    private final float[] velocity;

    Momentum(Recipe recipe, int parameterCount) {
        rate = (float) recipe.learningRate();
        momentum = (float) recipe.momentum();
        velocity = new float[parameterCount];
    }

    /** One step; both arrays have the length given at construction, {@code parameters} is changed in place. */
    void step(float[] parameters, float[] gradients) {
        for (int i = 0; i < parameters.length; i++) {
            velocity[i] = momentum * velocity[i] + gradients[i];
            parameters[i] -= rate * velocity[i];
        }
    }
}

package io.parex.demo;

import java.util.List;

/**
 * One of {@code size} data-parallel workers: computes the gradients of its part of every step, averages them with the
 * others and takes the same step as they do. Runs on one thread.
 */
final class Worker {
    /** The rank whose first parameters everyone starts from. */
    private static final int ROOT = 0;

    private final Recipe recipe;
    private final Digits.Split digits;
    private final int rank;
    private final int size;
    private final TimedExchange exchange;
    private final EpochBoard board;
    private final Perceptron perceptron;

    Worker(Recipe recipe, Digits.Split digits, int rank, int size, Exchange exchange, EpochBoard board) {
        this.recipe = recipe;
        this.digits = digits;
        this.rank = rank;
        this.size = size;
        this.exchange = new TimedExchange(exchange);
        this.board = board;
        perceptron = new Perceptron(recipe.hidden());
    }

    /** The whole training. */
    Result run() {
        if (rank == ROOT) {
            // The others stay at 0 until the broadcast, so a broadcast that does nothing cannot pass.
            perceptron.initialise(recipe.seed());
        }
        exchange.broadcast(perceptron.parameters(), ROOT);
        Momentum momentum = new Momentum(recipe, perceptron.parameterCount());
        float[] gradients = new float[perceptron.parameterCount()];
        for (int epoch = 0; epoch < recipe.epochs(); epoch++) {
            long nanosBefore = exchange.allReduce().totalNanos();
            int[] order = recipe.order(epoch);
            for (int step = 0; step < recipe.stepsPerEpoch(); step++) {
                Batch batch = recipe.batch(digits.training(), order, step).share(rank, size);
                perceptron.gradients(batch, gradients);
                exchange.allReduceAverage(gradients);
                momentum.step(perceptron.parameters(), gradients);
            }
            judge(epoch, exchange.allReduce().totalNanos() - nanosBefore);
            // Nobody starts an epoch before the last one is judged and reported.
            exchange.barrier();
        }
        return new Result(perceptron.parameters(), exchange.times());
    }

    /** Every worker evaluates its part, with its own parameters: if they differ from the others', it shows. */
    private void judge(int epoch, long allReduceNanos) {
        Evaluation training = perceptron.evaluate(Batch.all(digits.training()).share(rank, size));
        Evaluation heldOut = perceptron.evaluate(Batch.all(digits.heldOut()).share(rank, size));
        board.post(epoch, training, heldOut, allReduceNanos);
    }

    /**
     * What a worker ends with.
     *
     * @param parameters the trained parameters, in the layout of {@link Perceptron}
     * @param times its calls by primitive
     */
    record Result(float[] parameters, List<PrimitiveTime> times) {}
}

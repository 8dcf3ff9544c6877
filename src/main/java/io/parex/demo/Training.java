package io.parex.demo;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** The data-parallel training: a worker per rank, each on its own thread with its own {@link Exchange}. */
final class Training {
    private final Recipe recipe;
    private final int size;
    private final Duration deadline;

    /**
     * @param size number of workers, which must share a step equally
     * @param deadline for connecting and training
     */
    Training(Recipe recipe, int size, Duration deadline) {
        recipe.requireShareable(size);
        this.recipe = recipe;
        this.size = size;
        this.deadline = deadline;
    }

    /**
     * Trains.
     *
     * @param connect called once per rank, on the worker's thread; what it returns is closed at the end
     * @param listener told of every epoch, on a worker's thread
     * @throws ParexException if a worker failed, the deadline passed or the calling thread was interrupted
     */
    Outcome run(Digits.Split digits, IntFunction<? extends Exchange> connect, Consumer<EpochBoard.Progress> listener) {
        long gradientBytes = (long) new Perceptron(recipe.hidden()).parameterCount() * Float.BYTES;
        EpochBoard board = new EpochBoard(recipe, size, gradientBytes * recipe.stepsPerEpoch(), listener);
        Connections connections = new Connections();
        IntFunction<Worker.Result> work = rank -> {
            Exchange exchange = connections.register(connect.apply(rank));
            return new Worker(recipe, digits, rank, size, exchange, board).run();
        };
        List<Worker.Result> workers = Crew.run(size, deadline, work, connections::closeAll);
        return new Outcome(board.results(), workers);
    }

    /**
     * What a training that ran to its end leaves.
     *
     * @param epochs one result per epoch, in order
     * @param workers one result per worker, by rank
     */
    record Outcome(List<EpochResult> epochs, List<Worker.Result> workers) {

        /** The trained parameters, of the first worker. */
        float[] parameters() {
            return workers.getFirst().parameters();
        }

        /** Whether all workers ended with the same parameters, bit for bit. */
        boolean parametersEqual() {
            int[] first = bits(workers.getFirst());
            return workers.stream().allMatch(worker -> Arrays.equals(first, bits(worker)));
        }

        /** The calls of each primitive by the worker that spent most time in it. */
        List<PrimitiveTime> slowestTimes() {
            List<PrimitiveTime> slowest = new ArrayList<>(workers.getFirst().times());
            for (Worker.Result worker : workers) {
                for (int i = 0; i < slowest.size(); i++) {
                    PrimitiveTime time = worker.times().get(i);
                    if (time.totalNanos() > slowest.get(i).totalNanos()) {
                        slowest.set(i, time);
                    }
                }
            }
            return slowest;
        }

        private static int[] bits(Worker.Result worker) {
            float[] parameters = worker.parameters();
            int[] bits = new int[parameters.length];
            for (int i = 0; i < bits.length; i++) {
                bits[i] = Float.floatToRawIntBits(parameters[i]);
            }
            return bits;
        }
    }

    /** The exchanges opened so far; one that opens after the end is closed at once. Thread-safe. */
    private static final class Connections {
        private final List<Exchange> open = new ArrayList<>();
        private boolean closed;

        Exchange register(Exchange exchange) {
            synchronized (this) {
                if (!closed) {
                    open.add(exchange);
                    return exchange;
                }
            }
            exchange.close();
            throw new ParexException(ErrorKind.ABORTED, "connected after the training had ended");
        }

        void closeAll() {
            List<Exchange> last;
            synchronized (this) {
                closed = true;
                last = List.copyOf(open);
                open.clear();
            }
            // Outside the lock: a close may take its time.
            for (Exchange exchange : last) {
                try {
                    exchange.close();
                } catch (RuntimeException ignored) {
                    // The training is over, and its outcome or its first failure is what counts.
                }
            }
        }
    }
}

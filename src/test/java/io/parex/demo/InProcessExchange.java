package io.parex.demo;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.function.IntFunction;

/**
 * The exchange of one rank over a shared table of arrays: correct, slow, and no Parex, so that the training can be
 * tested by itself. Sums as a ring would: float32, each chunk starting at another rank.
 */
class InProcessExchange implements Exchange {
    /** What the ranks of one world share. */
    static final class Table {
        private final int size;
        private final float[][] arrays;
        private final CyclicBarrier meeting;

        private Table(int size) {
            this.size = size;
            arrays = new float[size][];
            meeting = new CyclicBarrier(size);
        }
    }

    private final Table table;
    private final int rank;
    private volatile boolean closed;

    InProcessExchange(Table table, int rank) {
        this.table = table;
        this.rank = rank;
    }

    /** A world of {@code size} ranks: rank to its exchange. */
    static IntFunction<Exchange> world(int size) {
        Table table = new Table(size);
        return rank -> new InProcessExchange(table, rank);
    }

    /** A world of {@code size} ranks of another kind of exchange. */
    static IntFunction<Exchange> world(int size, Kind kind) {
        Table table = new Table(size);
        return rank -> kind.create(table, rank);
    }

    /** Makes an exchange. */
    interface Kind {
        Exchange create(Table table, int rank);
    }

    @Override
    public void broadcast(float[] parameters, int root) {
        float[] from = meetAndShare(parameters)[root];
        if (rank != root) {
            System.arraycopy(from, 0, parameters, 0, parameters.length);
        }
        meet();
    }

    @Override
    public void allReduceAverage(float[] gradients) {
        float[] average = combine(meetAndShare(gradients));
        meet(); // nobody overwrites what another still reads
        System.arraycopy(average, 0, gradients, 0, gradients.length);
    }

    /** The average of all ranks' arrays. */
    float[] combine(float[][] arrays) {
        float[] average = sum(arrays);
        for (int i = 0; i < average.length; i++) {
            average[i] /= arrays.length;
        }
        return average;
    }

    /** The sum of all ranks' arrays. */
    static float[] sum(float[][] arrays) {
        int size = arrays.length;
        int count = arrays[0].length;
        float[] sum = new float[count];
        for (int i = 0; i < count; i++) {
            int first = (int) ((long) i * size / count);
            sum[i] = arrays[first][i];
            for (int k = 1; k < size; k++) {
                sum[i] += arrays[(first + k) % size][i];
            }
        }
        return sum;
    }

    @Override
    public void barrier() {
        meet();
    }

    @Override
    public void close() {
        closed = true;
        table.meeting.reset();
    }

    int rank() {
        return rank;
    }

    private float[][] meetAndShare(float[] own) {
        table.arrays[rank] = own;
        meet();
        return table.arrays;
    }

    private void meet() {
        try {
            if (!closed) {
                table.meeting.await();
                return;
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        } catch (BrokenBarrierException broken) {
            // Another rank closed or was interrupted.
        }
        throw new ParexException(
                ErrorKind.ABORTED, "the exchange of rank " + rank + " of " + table.size + " was closed");
    }
}

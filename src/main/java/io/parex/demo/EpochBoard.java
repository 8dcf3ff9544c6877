package io.parex.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Where the workers post their part of an epoch's result; the last one to post completes it. Thread-safe; the listener
 * is called by that last worker's thread, one epoch at a time.
 */
final class EpochBoard {
    private final int size;
    private final long allReduceBytes;
    private final Consumer<Progress> listener;
    private final Entry[] entries;
    private final List<EpochResult> results = new ArrayList<>();

    /**
     * @param size number of workers
     * @param allReduceBytes what one worker all_reduces in an epoch
     */
    EpochBoard(Recipe recipe, int size, long allReduceBytes, Consumer<Progress> listener) {
        this.size = size;
        this.allReduceBytes = allReduceBytes;
        this.listener = listener;
        entries = new Entry[recipe.epochs()];
    }

    /**
     * One worker's part of an epoch.
     *
     * @param epoch 0 for the first
     * @param training its share of the training digits
     * @param heldOut its share of the held-out digits
     * @param allReduceNanos what it spent in all_reduce in this epoch
     */
    synchronized void post(int epoch, Evaluation training, Evaluation heldOut, long allReduceNanos) {
        Entry own = new Entry(1, training, heldOut, allReduceNanos);
        Entry entry = entries[epoch] == null ? own : entries[epoch].plus(own);
        entries[epoch] = entry;
        if (entry.posted == size) {
            EpochResult result = new EpochResult(epoch + 1, entry.training.loss(), entry.heldOut.accuracy());
            results.add(result);
            listener.accept(new Progress(result, busbw(entry.slowestNanos)));
        }
    }

    /** The epochs complete so far, in the order of their completion. */
    synchronized List<EpochResult> results() {
        return List.copyOf(results);
    }

    /** Bytes per nanosecond are GB/s; 2(n-1)/n is what each rank of n must at least send for an all_reduce. */
    private double busbw(long nanos) {
        return nanos == 0 ? 0 : 2.0 * (size - 1) / size * allReduceBytes / nanos;
    }

    /**
     * An epoch that has just ended.
     *
     * @param busbwGBs bus bandwidth of its all_reduces as the slowest worker saw it, waiting included, in 10^9 bytes/s
     */
    record Progress(EpochResult result, double busbwGBs) {}

    private record Entry(int posted, Evaluation training, Evaluation heldOut, long slowestNanos) {
        Entry plus(Entry other) {
            return new Entry(
                    posted + other.posted,
                    training.plus(other.training),
                    heldOut.plus(other.heldOut),
                    Math.max(slowestNanos, other.slowestNanos));
        }
    }
}

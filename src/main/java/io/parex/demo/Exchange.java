package io.parex.demo;

/**
 * What a data-parallel worker needs from the world: one worker's connection to its rank. The training knows nothing
 * else of Parex.
 *
 * <p>One worker thread makes all calls, one after the other, the same calls in the same order on every rank. A call
 * blocks until this rank's part is done and throws an unchecked exception (a {@link io.parex.ParexException} where
 * Parex refused or failed it) if it cannot be: then the training ends. {@link #close} from another thread, or an
 * interrupt of the worker thread, must end a blocked call with an exception; the demo ends its other workers so when
 * one fails.
 */
public interface Exchange extends AutoCloseable {

    /**
     * Makes the array of every rank equal to the root's.
     *
     * @param parameters float32, of the same length on every rank; read on the root, overwritten on all others
     * @param root rank to copy from
     */
    void broadcast(float[] parameters, int root);

    /**
     * Replaces the array by the element-wise average over all ranks, the same bits on every rank.
     *
     * @param gradients float32, of the same length on every rank; changed in place
     */
    void allReduceAverage(float[] gradients);

    /** Returns when every rank has called it. */
    void barrier();

    /** Gives the connection up; may be called from any thread, several times, and does not block for long. */
    @Override
    void close();
}

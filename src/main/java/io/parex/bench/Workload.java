package io.parex.bench;

import io.parex.world.Work;

/** One primitive on tensors of one size, as the ranks of this process call it. */
interface Workload {

    /** The same on all ranks, wherever they live. */
    Traits traits();

    /** Fills inputs and spoils outputs. No call is in flight. */
    void prepare();

    /** Starts a rank's call number {@code index}, counted from 0. Any thread, one at a time for each rank. */
    Work start(int rank, long index);

    /** Elements of all outputs that are not exactly what they must be. No call is in flight. */
    long wrong();
}

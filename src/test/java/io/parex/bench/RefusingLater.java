package io.parex.bench;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.world.Work;

/** Refuses the second call of a batch. */
final class RefusingLater implements Workload {
    private final Workload workload;

    RefusingLater(Workload workload) {
        this.workload = workload;
    }

    @Override
    public Traits traits() {
        return workload.traits();
    }

    @Override
    public void prepare() {
        workload.prepare();
    }

    @Override
    public Work start(int rank, long index) {
        if (index > 0) {
            throw new ParexException(ErrorKind.OVERLOADED, "refused call " + index + " of rank " + rank);
        }
        return workload.start(rank, index);
    }

    @Override
    public long wrong() {
        return workload.wrong();
    }
}

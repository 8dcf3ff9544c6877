package io.parex.bench;

import io.parex.tensor.TensorView;
import io.parex.world.Work;
import java.lang.foreign.ValueLayout;

/** Gives another first and last element than the results are compared with. */
final class BrokenInput implements Workload {
    private static final float NOT_IN_ANY_PATTERN = 1000;

    private final Workload workload;
    private final TensorView input;

    BrokenInput(Workload workload, TensorView input) {
        this.workload = workload;
        this.input = input;
    }

    @Override
    public Traits traits() {
        return workload.traits();
    }

    @Override
    public void prepare() {
        workload.prepare();
        input.segment().setAtIndex(ValueLayout.JAVA_FLOAT, 0, NOT_IN_ANY_PATTERN);
        input.segment().setAtIndex(ValueLayout.JAVA_FLOAT, input.count() - 1, NOT_IN_ANY_PATTERN);
    }

    @Override
    public Work start(int rank, long index) {
        return workload.start(rank, index);
    }

    @Override
    public long wrong() {
        return workload.wrong();
    }
}

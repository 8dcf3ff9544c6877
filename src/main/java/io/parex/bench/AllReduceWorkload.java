package io.parex.bench;

import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.world.Work;

/** all_reduce: all ranks' inputs combined in all outputs. */
final class AllReduceWorkload implements Workload {
    private final Setup setup;
    private final ReduceOp op;
    private final boolean inPlace;
    private final TensorView[] inputs;
    private final TensorView[] outputs;

    /** Of {@code count} elements. */
    AllReduceWorkload(Setup setup, long count, ReduceOp op, boolean inPlace) {
        this.setup = setup;
        this.op = op;
        this.inPlace = inPlace;
        inputs = new TensorView[setup.ranks()];
        outputs = new TensorView[setup.ranks()];
        for (int rank = 0; rank < inputs.length; rank++) {
            outputs[rank] = setup.memory().output(rank, count);
            inputs[rank] = inPlace ? outputs[rank] : setup.memory().input(rank, count);
        }
    }

    @Override
    public int ranks() {
        return inputs.length;
    }

    /** In place every call reduces the results of the call before; they run off to infinity, which costs the same. */
    @Override
    public boolean repeatable() {
        return !inPlace;
    }

    @Override
    public boolean inPlace() {
        return inPlace;
    }

    @Override
    public void prepare() {
        for (int rank = 0; rank < ranks(); rank++) {
            RankMemory.spoil(outputs[rank]);
            setup.patterns().input(rank, op).fill(inputs[rank]);
        }
    }

    @Override
    public Work start(int rank, long index) {
        return setup.group(rank).allReduce(inputs[rank], outputs[rank], op, setup.options());
    }

    @Override
    public long wrong() {
        Elements expected = setup.patterns().reduced(op);
        long wrong = 0;
        for (TensorView output : outputs) {
            wrong += expected.wrong(output);
        }
        return wrong;
    }
}

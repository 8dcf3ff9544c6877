package io.parex.bench;

import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.world.Work;
import java.util.HashMap;
import java.util.Map;

/** all_reduce: all ranks' inputs combined in all outputs. */
final class AllReduceWorkload implements Workload {
    private final Setup setup;
    private final ReduceOp op;
    private final boolean inPlace;
    private final Map<Integer, TensorView> inputs = new HashMap<>();
    private final Map<Integer, TensorView> outputs = new HashMap<>();

    /** Of {@code count} elements. */
    AllReduceWorkload(Setup setup, long count, ReduceOp op, boolean inPlace) {
        this.setup = setup;
        this.op = op;
        this.inPlace = inPlace;
        for (int rank : setup.here()) {
            outputs.put(rank, setup.memory().output(rank, count));
            inputs.put(rank, inPlace ? outputs.get(rank) : setup.memory().input(rank, count));
        }
    }

    /** In place every call reduces the results of the call before; they run off to infinity, which costs the same. */
    @Override
    public Traits traits() {
        return Traits.ofAll(setup.ranks(), !inPlace, inPlace);
    }

    @Override
    public void prepare() {
        for (int rank : setup.here()) {
            RankMemory.spoil(outputs.get(rank));
            setup.patterns().input(rank, op).fill(inputs.get(rank));
        }
    }

    @Override
    public Work start(int rank, long index) {
        return setup.group(rank).allReduce(inputs.get(rank), outputs.get(rank), op, setup.options());
    }

    @Override
    public long wrong() {
        Elements expected = setup.patterns().reduced(op);
        return outputs.values().stream().mapToLong(expected::wrong).sum();
    }
}

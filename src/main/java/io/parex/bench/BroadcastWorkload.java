package io.parex.bench;

import io.parex.tensor.TensorView;
import io.parex.world.Work;
import java.util.stream.IntStream;

/** broadcast: the root's tensor on all ranks, each of which has one only. */
final class BroadcastWorkload implements Workload {
    private final Setup setup;
    private final int root;
    private final Elements given;
    private final TensorView[] tensors;

    /** Of {@code count} elements. */
    BroadcastWorkload(Setup setup, long count, int root) {
        this.setup = setup;
        this.root = root;
        given = setup.patterns().input(root, null);
        tensors = IntStream.range(0, setup.ranks())
                .mapToObj(rank -> setup.memory().output(rank, count))
                .toArray(TensorView[]::new);
    }

    @Override
    public int ranks() {
        return tensors.length;
    }

    @Override
    public boolean inPlace() {
        return true;
    }

    @Override
    public void prepare() {
        for (TensorView tensor : tensors) {
            RankMemory.spoil(tensor);
        }
        given.fill(tensors[root]);
    }

    @Override
    public Work start(int rank, long index) {
        return setup.group(rank).broadcast(tensors[rank], root, setup.options());
    }

    @Override
    public long wrong() {
        long wrong = 0;
        for (TensorView tensor : tensors) {
            wrong += given.wrong(tensor);
        }
        return wrong;
    }
}

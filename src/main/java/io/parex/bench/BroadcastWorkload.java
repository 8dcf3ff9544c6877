package io.parex.bench;

import io.parex.tensor.TensorView;
import io.parex.world.Work;
import java.util.HashMap;
import java.util.Map;

/** broadcast: the root's tensor on all ranks, each of which has one only. */
final class BroadcastWorkload implements Workload {
    private final Setup setup;
    private final int root;
    private final Elements given;
    private final Map<Integer, TensorView> tensors = new HashMap<>();

    /** Of {@code count} elements. */
    BroadcastWorkload(Setup setup, long count, int root) {
        this.setup = setup;
        this.root = root;
        given = setup.patterns().input(root, null);
        for (int rank : setup.here()) {
            tensors.put(rank, setup.memory().output(rank, count));
        }
    }

    @Override
    public Traits traits() {
        return Traits.ofAll(setup.ranks(), true, true);
    }

    @Override
    public void prepare() {
        tensors.values().forEach(RankMemory::spoil);
        if (tensors.containsKey(root)) {
            given.fill(tensors.get(root));
        }
    }

    @Override
    public Work start(int rank, long index) {
        return setup.group(rank).broadcast(tensors.get(rank), root, setup.options());
    }

    @Override
    public long wrong() {
        return tensors.values().stream().mapToLong(given::wrong).sum();
    }
}

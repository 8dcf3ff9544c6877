package io.parex.bench;

import io.parex.tensor.TensorView;
import io.parex.world.PointToPoint;
import io.parex.world.Work;
import java.util.HashMap;
import java.util.Map;

/** Point-to-point messages among the first ranks: what a rank gets is what its left neighbour gives. */
abstract class MessageWorkload implements Workload {
    private static final int TAG = 0;

    private final Setup setup;
    private final int partners;
    private final Map<Integer, TensorView> inputs = new HashMap<>();
    private final Map<Integer, TensorView> outputs = new HashMap<>();

    /** Of {@code count} elements among ranks 0 to {@code partners - 1}. */
    MessageWorkload(Setup setup, long count, int partners) {
        this.setup = setup;
        this.partners = partners;
        for (int rank : setup.here()) {
            if (rank < partners) {
                inputs.put(rank, setup.memory().input(rank, count));
                outputs.put(rank, setup.memory().output(rank, count));
            }
        }
    }

    @Override
    public void prepare() {
        inputs.forEach((rank, tensor) -> given(rank).fill(tensor));
        outputs.values().forEach(RankMemory::spoil);
    }

    @Override
    public long wrong() {
        return outputs.entrySet().stream()
                .mapToLong(each -> given(left(each.getKey())).wrong(each.getValue()))
                .sum();
    }

    private int left(int rank) {
        return (rank + partners - 1) % partners;
    }

    private int right(int rank) {
        return (rank + 1) % partners;
    }

    Work send(int rank) {
        return setup.group(rank).isend(inputs.get(rank), right(rank), TAG, setup.options());
    }

    Work receive(int rank) {
        return setup.group(rank).irecv(outputs.get(rank), left(rank), TAG, setup.options());
    }

    Work shift(int rank) {
        return setup.group(rank)
                .sendRecv(
                        PointToPoint.send(inputs.get(rank), right(rank), TAG),
                        PointToPoint.recv(outputs.get(rank), left(rank), TAG),
                        setup.options());
    }

    private Elements given(int rank) {
        return setup.patterns().input(rank, null);
    }
}

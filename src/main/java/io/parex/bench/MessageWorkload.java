package io.parex.bench;

import io.parex.tensor.TensorView;
import io.parex.world.PointToPoint;
import io.parex.world.Work;
import java.util.stream.IntStream;

/** Point-to-point messages among the first ranks: what a rank gets is what its left neighbour gives. */
abstract class MessageWorkload implements Workload {
    private static final int TAG = 0;

    private final Setup setup;
    private final TensorView[] inputs;
    private final TensorView[] outputs;

    /** Of {@code count} elements among ranks 0 to {@code partners - 1}. */
    MessageWorkload(Setup setup, long count, int partners) {
        this.setup = setup;
        inputs = IntStream.range(0, partners)
                .mapToObj(rank -> setup.memory().input(rank, count))
                .toArray(TensorView[]::new);
        outputs = IntStream.range(0, partners)
                .mapToObj(rank -> setup.memory().output(rank, count))
                .toArray(TensorView[]::new);
    }

    @Override
    public int ranks() {
        return setup.ranks();
    }

    @Override
    public boolean calls(int rank) {
        return rank < inputs.length;
    }

    @Override
    public void prepare() {
        for (int rank = 0; rank < inputs.length; rank++) {
            given(rank).fill(inputs[rank]);
            RankMemory.spoil(outputs[rank]);
        }
    }

    @Override
    public long wrong() {
        long wrong = 0;
        for (int rank = 0; rank < inputs.length; rank++) {
            wrong += given(left(rank)).wrong(outputs[rank]);
        }
        return wrong;
    }

    private int left(int rank) {
        return (rank + inputs.length - 1) % inputs.length;
    }

    Work send(int rank) {
        return setup.group(rank).isend(inputs[rank], (rank + 1) % inputs.length, TAG, setup.options());
    }

    Work receive(int rank) {
        return setup.group(rank).irecv(outputs[rank], left(rank), TAG, setup.options());
    }

    Work shift(int rank) {
        return setup.group(rank)
                .sendRecv(
                        PointToPoint.send(inputs[rank], (rank + 1) % inputs.length, TAG),
                        PointToPoint.recv(outputs[rank], left(rank), TAG),
                        setup.options());
    }

    private Elements given(int rank) {
        return setup.patterns().input(rank, null);
    }
}

package io.parex.world;

import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;

/** Inputs of reductions whose results are exact in every type and differ from rank to rank, and those results. */
final class Reference {
    private static final int[] FACTORS = {1, 2, -1};

    private Reference() {}

    /** What rank {@code rank} of {@code size} gives. */
    static TensorView input(DataType type, long count, ReduceOp op, int size, int rank) {
        return Tensors.filled(type, count, i -> op == ReduceOp.PRODUCT ? factor(rank, i) : addend(size, rank, i));
    }

    /** What all get. */
    static TensorView result(DataType type, long count, ReduceOp op, int size) {
        return Tensors.filled(type, count, i -> switch (op) {
            case SUM -> size * (base(i) + size - 1);
            case AVG -> base(i) + size - 1;
            case MIN -> base(i);
            case MAX -> base(i) + 2 * (size - 1);
            case PRODUCT -> product(size, i);
            default -> throw new IllegalArgumentException(op.label());
        });
    }

    private static double base(long i) {
        return i % 7 - 3;
    }

    /** Each element has its least and greatest value on other ranks than its neighbours. */
    private static double addend(int size, int rank, long i) {
        return base(i) + 2 * ((rank + i) % size);
    }

    private static double factor(int rank, long i) {
        return FACTORS[(int) ((rank + i) % FACTORS.length)];
    }

    private static double product(int size, long i) {
        double product = 1;
        for (int rank = 0; rank < size; rank++) {
            product *= factor(rank, i);
        }
        return product;
    }
}

package io.parex.bench.verify;

import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongBinaryOperator;

/** Of integers, which wrap around, and of truth values: exact in whatever order. */
final class IntegerFold implements Fold {
    private final DataType type;
    private final ReduceOp op;
    private final int ranks;

    IntegerFold(Check check) {
        this.type = check.type();
        this.op = check.cell().op();
        this.ranks = check.ranks();
    }

    @Override
    public String fault(List<MemorySegment> inputs, MemorySegment result) {
        LongBinaryOperator combine = type == DataType.BOOL ? ofTruth() : ofIntegers();
        long[] expected = values(inputs.getFirst());
        for (MemorySegment next : inputs.subList(1, inputs.size())) {
            long[] values = values(next);
            for (int i = 0; i < expected.length; i++) {
                expected[i] = combine.applyAsLong(expected[i], values[i]);
            }
        }
        long[] actual = Numbers.integers(type, result);
        for (int i = 0; i < expected.length; i++) {
            long value = op == ReduceOp.AVG ? expected[i] / ranks : Numbers.narrow(type, expected[i]);
            if (actual[i] != value) {
                return "element " + i + " is " + actual[i] + ", not " + value;
            }
        }
        return null;
    }

    private long[] values(MemorySegment memory) {
        long[] values = Numbers.integers(type, memory);
        for (int i = 0; type == DataType.BOOL && i < values.length; i++) {
            values[i] = values[i] == 0 ? 0 : 1;
        }
        return values;
    }

    private LongBinaryOperator ofTruth() {
        return switch (op) {
            case SUM, MAX, BOR -> (a, b) -> a | b;
            case PRODUCT, MIN, BAND -> (a, b) -> a & b;
            case BXOR -> (a, b) -> a ^ b;
            case AVG, PREMUL_SUM -> throw new IllegalArgumentException(op.label());
        };
    }

    private LongBinaryOperator ofIntegers() {
        return switch (op) {
            case SUM, AVG -> (a, b) -> a + b;
            case PRODUCT -> (a, b) -> a * b;
            case MIN -> Math::min;
            case MAX -> Math::max;
            case BAND -> (a, b) -> a & b;
            case BOR -> (a, b) -> a | b;
            case BXOR -> (a, b) -> a ^ b;
            case PREMUL_SUM -> throw new IllegalArgumentException(op.label());
        };
    }
}

package io.parex.bench.verify;

import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Of floating point numbers, in the accumulator's precision, rounded to the type once. Another order of summation may
 * round otherwise; two orders of p numbers are both within (p-1)u of the exact sum, relative to the sum of all
 * magnitudes, u being half a unit in the last place.
 */
final class RealFold implements Fold {
    /** What a premultiplied sum multiplies by: exact in every type, and not so that its products all are. */
    static final double EXACT_FACTOR = 0.5;

    static final double ROUNDED_FACTOR = 1.0 / 3;

    private final DataType part;
    private final ReduceOp op;
    private final int ranks;
    private final boolean exact;
    private final double factor;
    private final boolean single;

    /** That of a check; {@code inRankOrder} says whether what is looked at was reduced in the order of the ranks. */
    RealFold(Check check, boolean inRankOrder) {
        this.part = Numbers.part(check.type());
        this.op = check.cell().op();
        this.ranks = check.ranks();
        this.exact = inRankOrder || !check.rounded();
        this.single = part != DataType.FLOAT64;
        double given = factor(check.rounded());
        this.factor = single ? (float) given : given;
    }

    /** The factor of a premultiplied sum. */
    static double factor(boolean rounded) {
        return rounded ? ROUNDED_FACTOR : EXACT_FACTOR;
    }

    @Override
    public String fault(List<MemorySegment> inputs, MemorySegment result) {
        double[] sums = entered(inputs.getFirst());
        double[] magnitudes = new double[sums.length];
        add(magnitudes, sums);
        for (MemorySegment next : inputs.subList(1, inputs.size())) {
            double[] values = entered(next);
            add(magnitudes, values);
            for (int i = 0; i < sums.length; i++) {
                sums[i] = accumulator(combined(sums[i], values[i]));
            }
        }
        double[] actual = Numbers.reals(part, result);
        for (int i = 0; i < sums.length; i++) {
            double value = op == ReduceOp.AVG ? accumulator(sums[i] / ranks) : sums[i];
            if (!isGood(actual[i], value, magnitudes[i])) {
                return "element " + i + " is " + actual[i] + ", not " + Numbers.nearest(part, value);
            }
        }
        return null;
    }

    private double[] entered(MemorySegment memory) {
        double[] values = Numbers.reals(part, memory);
        for (int i = 0; op == ReduceOp.PREMUL_SUM && i < values.length; i++) {
            values[i] = accumulator(values[i] * factor);
        }
        return values;
    }

    private double combined(double a, double b) {
        return switch (op) {
            case SUM, AVG, PREMUL_SUM -> a + b;
            case PRODUCT -> a * b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case BAND, BOR, BXOR -> throw new IllegalArgumentException(op.label());
        };
    }

    /** Of two floats a sum, product or quotient in double, rounded to float, is that in float. */
    private double accumulator(double value) {
        return single ? (float) value : value;
    }

    private static void add(double[] magnitudes, double[] values) {
        for (int i = 0; i < values.length; i++) {
            magnitudes[i] += Math.abs(values[i]);
        }
    }

    private boolean isGood(double actual, double value, double magnitude) {
        if (exact) {
            // Every NaN is the same here; -0 is not +0.
            return Double.compare(actual, Numbers.nearest(part, value)) == 0;
        }
        double unit = Math.scalb(1.0, single ? -24 : -53);
        double scale = op == ReduceOp.PRODUCT ? Math.abs(value) : op == ReduceOp.AVG ? magnitude / ranks : magnitude;
        double ofOrder = 2 * ranks * unit * scale;
        double ofType = Numbers.step(part, Math.abs(value) + ofOrder) / 2;
        return Math.abs(actual - value) <= ofOrder + ofType;
    }
}

package io.parex.tensor;

import io.parex.ErrorKind;
import io.parex.ParexException;

/** Which reductions are computed, and the way to them. Any thread. */
public final class Reductions {

    private Reductions() {}

    /** Whether {@code op} is computed for {@code type}. */
    public static boolean supports(DataType type, ReduceOp op) {
        return isArithmetic(op)
                && switch (type) {
                    case INT32, INT64, FLOAT32, FLOAT64 -> true;
                    default -> false;
                };
    }

    /**
     * The reduction of {@code type} by {@code op} among {@code ranks} ranks. Immutable and cheap to make.
     *
     * @param ranks size of the group, at least 1: the divisor of AVG
     * @throws ParexException of kind {@code UNSUPPORTED} if the combination is not computed, {@code ARGUMENT} if
     *     {@code ranks} is less than 1
     */
    public static Reduction of(DataType type, ReduceOp op, int ranks) {
        return of(type, op, ranks, Kernels.active());
    }

    /** What computes, for logs and diagnosis, such as {@code vector, 512 bit} or {@code scalar}. */
    public static String kernels() {
        return Kernels.active().description();
    }

    static Reduction of(DataType type, ReduceOp op, int ranks, KernelProvider kernels) {
        if (ranks < 1) {
            throw ParexException.argument("a reduction among " + ranks + " ranks: at least 1 is needed");
        }
        if (!supports(type, op)) {
            throw new ParexException(ErrorKind.UNSUPPORTED, op.label() + " of " + type.label() + " is not computed");
        }
        boolean average = op == ReduceOp.AVG;
        DataType partial = partialType(type, op);
        Kernel kernel = kernels.kernel(partial, average ? ReduceOp.SUM : op);
        Conversion widen = partial == type ? null : kernels.widen(type, partial);
        Conversion finish = partial == type && !average ? null : kernels.finish(partial, type, average ? ranks : 1);
        return new Reduction(type, partial, kernel, widen, finish);
    }

    /** The accumulator: wide enough that a sum of int32 that leaves int32 still has the right average. */
    private static DataType partialType(DataType type, ReduceOp op) {
        return type == DataType.INT32 && op == ReduceOp.AVG ? DataType.INT64 : type;
    }

    private static boolean isArithmetic(ReduceOp op) {
        return switch (op) {
            case SUM, AVG, MIN, MAX, PRODUCT -> true;
            case BAND, BOR, BXOR -> false;
        };
    }
}

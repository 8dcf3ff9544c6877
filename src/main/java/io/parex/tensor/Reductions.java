package io.parex.tensor;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Which reductions are computed, and the way to them. Any thread. */
public final class Reductions {
    private static final Set<ReduceOp> OF_TRUTH = without(ReduceOp.AVG, ReduceOp.PREMUL_SUM);
    private static final Set<ReduceOp> OF_INTEGERS = without(ReduceOp.PREMUL_SUM);
    private static final Set<ReduceOp> OF_FLOATS = without(ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR);
    private static final Set<ReduceOp> OF_COMPLEX =
            Collections.unmodifiableSet(EnumSet.of(ReduceOp.SUM, ReduceOp.AVG, ReduceOp.PREMUL_SUM));

    private Reductions() {}

    /** Whether {@code op} is computed for {@code type}. */
    public static boolean supports(DataType type, ReduceOp op) {
        return operations(type).contains(op);
    }

    /** The operations computed for {@code type}, in their own order; none for a type that is only carried. */
    public static Set<ReduceOp> operations(DataType type) {
        return switch (type) {
            case BOOL -> OF_TRUTH;
            case UINT8, INT8, INT16, INT32, INT64 -> OF_INTEGERS;
            case FLOAT16, BFLOAT16, FLOAT32, FLOAT64 -> OF_FLOATS;
            case COMPLEX64, COMPLEX128 -> OF_COMPLEX;
            case FLOAT8_E4M3, FLOAT8_E5M2, UINT16, UINT32, UINT64 -> Set.of();
        };
    }

    /**
     * The reduction of {@code type} by {@code op}, which is not PREMUL_SUM, among {@code ranks} ranks. Immutable and
     * cheap to make.
     *
     * @param ranks size of the group, at least 1: the divisor of AVG
     * @throws ParexException of kind {@code UNSUPPORTED} if the combination is not computed, {@code ARGUMENT} if
     *     {@code ranks} is less than 1 or {@code op} needs a factor
     */
    public static Reduction of(DataType type, ReduceOp op, int ranks) {
        Reduction reduction = of(type, op, ranks, 1);
        if (op == ReduceOp.PREMUL_SUM) {
            throw ParexException.argument(op.label() + " of " + type.label() + " needs a factor, and none is given");
        }
        return reduction;
    }

    /**
     * The reduction of {@code type} by {@code op} among {@code ranks} ranks. Immutable and cheap to make.
     *
     * @param ranks size of the group, at least 1: the divisor of AVG
     * @param factor of PREMUL_SUM, for types below float64 rounded to float32; 1 for other operations
     * @throws ParexException of kind {@code UNSUPPORTED} if the combination is not computed, {@code ARGUMENT} if
     *     {@code ranks} is less than 1 or {@code factor} is NaN, infinite as rounded, or not 1 where none is taken
     */
    public static Reduction of(DataType type, ReduceOp op, int ranks, double factor) {
        return of(type, op, ranks, factor, Kernels.active());
    }

    /** What computes, for logs and diagnosis, such as {@code vector, 512 bit} or {@code scalar}. */
    public static String kernels() {
        return Kernels.active().description();
    }

    static Reduction of(DataType type, ReduceOp op, int ranks, double factor, KernelProvider kernels) {
        if (ranks < 1) {
            throw ParexException.argument("a reduction among " + ranks + " ranks: at least 1 is needed");
        }
        if (!supports(type, op)) {
            throw new ParexException(ErrorKind.UNSUPPORTED, unsupported(type, op));
        }
        verifyFactor(type, op, factor);
        boolean average = op == ReduceOp.AVG;
        boolean premultiplied = op == ReduceOp.PREMUL_SUM;
        DataType partial = partialType(type, op);
        Kernel kernel = kernels.kernel(partial, average || premultiplied ? ReduceOp.SUM : op);
        Conversion enter = premultiplied ? kernels.scale(type, partial, factor) : widen(type, partial, kernels);
        Conversion finish = partial == type && !average ? null : kernels.finish(partial, type, average ? ranks : 1);
        return new Reduction(type, partial, kernel, enter, finish, premultiplied || type == DataType.BOOL);
    }

    /**
     * The accumulator: wide enough that a sum that leaves the type still has the right average, and that halves are
     * rounded once. The least and greatest of values is one of them and needs no other type.
     */
    public static DataType partialType(DataType type, ReduceOp op) {
        return switch (type) {
            case UINT8, INT8, INT16, INT32 -> op == ReduceOp.AVG ? DataType.INT64 : type;
            case FLOAT16, BFLOAT16 -> op == ReduceOp.MIN || op == ReduceOp.MAX ? type : DataType.FLOAT32;
            default -> type;
        };
    }

    /** What makes a value a partial result, null if it is one. */
    private static Conversion widen(DataType type, DataType partial, KernelProvider kernels) {
        return partial == type && type != DataType.BOOL ? null : kernels.widen(type, partial);
    }

    private static void verifyFactor(DataType type, ReduceOp op, double factor) {
        if (op != ReduceOp.PREMUL_SUM) {
            if (factor != 1) {
                throw ParexException.argument(op.label() + " takes no factor, and " + factor + " is given");
            }
            return;
        }
        boolean isDouble = type == DataType.FLOAT64 || type == DataType.COMPLEX128;
        if (!Double.isFinite(isDouble ? factor : (float) factor)) {
            throw ParexException.argument("a factor of " + factor + " for " + op.label() + " of " + type.label()
                    + ": it must be finite, as " + (isDouble ? "float64" : "float32"));
        }
    }

    private static String unsupported(DataType type, ReduceOp op) {
        Set<ReduceOp> computed = operations(type);
        String refusal = op.label() + " of " + type.label() + " is not computed";
        if (computed.isEmpty()) {
            return refusal + "; values of this type are only carried";
        }
        // Of the types computed, only complex ones lack these.
        boolean needsOrder = op == ReduceOp.MIN || op == ReduceOp.MAX;
        return refusal + (needsOrder ? ": complex numbers have no order" : "") + "; computed for it: "
                + computed.stream().map(ReduceOp::label).collect(Collectors.joining(", "));
    }

    private static Set<ReduceOp> without(ReduceOp... missing) {
        Set<ReduceOp> operations = EnumSet.allOf(ReduceOp.class);
        for (ReduceOp op : missing) {
            operations.remove(op);
        }
        return Collections.unmodifiableSet(operations);
    }
}

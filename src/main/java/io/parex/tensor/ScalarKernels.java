package io.parex.tensor;

/** The reference: plain loops, which define the result of every kernel. */
final class ScalarKernels implements KernelProvider {

    @Override
    public String description() {
        return "scalar";
    }

    @Override
    public Kernel kernel(DataType type, ReduceOp op) {
        return switch (type) {
            case INT32 -> ScalarInt32.kernel(op);
            case INT64 -> ScalarInt64.kernel(op);
            case FLOAT32 -> ScalarFloat32.kernel(op);
            case FLOAT64 -> ScalarFloat64.kernel(op);
            default -> throw KernelProvider.missing("combine", type, op);
        };
    }

    @Override
    public Conversion widen(DataType type, DataType partial) {
        if (type == DataType.INT32 && partial == DataType.INT64) {
            return ScalarInt32::widen;
        }
        throw KernelProvider.missing("widen", type, partial);
    }

    @Override
    public Conversion finish(DataType partial, DataType type, int divisor) {
        if (partial == DataType.INT64 && type == DataType.INT32) {
            return (s, sAt, t, tAt, count) -> ScalarInt32.finish(s, sAt, t, tAt, count, divisor);
        }
        if (partial != type) {
            throw KernelProvider.missing("finish", partial, type);
        }
        return switch (type) {
            case INT64 -> (s, sAt, t, tAt, count) -> ScalarInt64.finish(s, sAt, t, tAt, count, divisor);
            case FLOAT32 -> (s, sAt, t, tAt, count) -> ScalarFloat32.finish(s, sAt, t, tAt, count, divisor);
            case FLOAT64 -> (s, sAt, t, tAt, count) -> ScalarFloat64.finish(s, sAt, t, tAt, count, divisor);
            default -> throw KernelProvider.missing("finish", partial, type);
        };
    }
}

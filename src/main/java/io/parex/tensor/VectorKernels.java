package io.parex.tensor;

import jdk.incubator.vector.VectorShape;

/**
 * Kernels on the Vector API; what has none here, or would gain nothing (there is no vector instruction for integer
 * division), is scalar. Making one throws NoClassDefFoundError where the module {@code jdk.incubator.vector} is absent.
 */
final class VectorKernels implements KernelProvider {
    private final KernelProvider scalar = new ScalarKernels();
    private final int bits = VectorShape.preferredShape().vectorBitSize();

    @Override
    public String description() {
        return "vector, " + bits + " bit";
    }

    @Override
    public Kernel kernel(DataType type, ReduceOp op) {
        return switch (type) {
            case INT32 -> VectorInt32.kernel(op);
            case INT64 -> VectorInt64.kernel(op);
            case FLOAT32 -> VectorFloat32.kernel(op);
            case FLOAT64 -> VectorFloat64.kernel(op);
            default -> scalar.kernel(type, op);
        };
    }

    @Override
    public Conversion widen(DataType type, DataType partial) {
        return scalar.widen(type, partial);
    }

    @Override
    public Conversion finish(DataType partial, DataType type, int divisor) {
        if (partial == DataType.FLOAT32 && type == DataType.FLOAT32) {
            return (s, sAt, t, tAt, count) -> VectorFloat32.finish(s, sAt, t, tAt, count, divisor);
        }
        if (partial == DataType.FLOAT64 && type == DataType.FLOAT64) {
            return (s, sAt, t, tAt, count) -> VectorFloat64.finish(s, sAt, t, tAt, count, divisor);
        }
        return scalar.finish(partial, type, divisor);
    }
}

package io.parex.tensor;

import jdk.incubator.vector.VectorShape;

/**
 * Kernels on the Vector API; what has none here, or would gain nothing, is scalar. Making one throws
 * NoClassDefFoundError where the module {@code jdk.incubator.vector} is absent.
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
        if (op.isBitwise()) {
            return KernelProvider.ofBytes(VectorBits.kernel(op), type.bytes());
        }
        return switch (type) {
            case BOOL -> VectorBits.kernel(KernelProvider.ofTruth(op));
            case UINT8 -> VectorUint8.kernel(op);
            case INT8 -> VectorInt8.kernel(op);
            case INT16 -> VectorInt16.kernel(op);
            case INT32 -> VectorInt32.kernel(op);
            case INT64 -> VectorInt64.kernel(op);
            case FLOAT16 -> VectorFloat16.kernel(op);
            case BFLOAT16 -> VectorBfloat16.kernel(op);
            case FLOAT32 -> VectorFloat32.kernel(op);
            case FLOAT64 -> VectorFloat64.kernel(op);
            case COMPLEX64 -> KernelProvider.ofPairs(VectorFloat32.kernel(op));
            case COMPLEX128 -> KernelProvider.ofPairs(VectorFloat64.kernel(op));
            case FLOAT8_E4M3, FLOAT8_E5M2, UINT16, UINT32, UINT64 -> scalar.kernel(type, op);
        };
    }

    @Override
    public Conversion widen(DataType type, DataType partial) {
        return switch (type) {
            case BOOL -> VectorBits::truth;
            case INT32 -> VectorInt32::widen;
            case FLOAT16 -> VectorFloat16::widen;
            case BFLOAT16 -> VectorBfloat16::widen;
            default -> scalar.widen(type, partial);
        };
    }

    @Override
    public Conversion scale(DataType type, DataType partial, double factor) {
        float single = (float) factor;
        return switch (type) {
            case FLOAT16 -> (s, sAt, t, tAt, count) -> VectorFloat16.scale(s, sAt, t, tAt, count, single);
            case BFLOAT16 -> (s, sAt, t, tAt, count) -> VectorBfloat16.scale(s, sAt, t, tAt, count, single);
            case FLOAT32 -> (s, sAt, t, tAt, count) -> VectorFloat32.scale(s, sAt, t, tAt, count, single);
            case FLOAT64 -> (s, sAt, t, tAt, count) -> VectorFloat64.scale(s, sAt, t, tAt, count, factor);
            case COMPLEX64 -> KernelProvider.ofPairs(scale(DataType.FLOAT32, DataType.FLOAT32, factor));
            case COMPLEX128 -> KernelProvider.ofPairs(scale(DataType.FLOAT64, DataType.FLOAT64, factor));
            default -> scalar.scale(type, partial, factor);
        };
    }

    @Override
    public Conversion finish(DataType partial, DataType type, int divisor) {
        return switch (type) {
            case UINT8, INT8, INT16, INT32, INT64 -> Averages.finish(type, divisor);
            case FLOAT16 ->
                divisor == 1
                        ? VectorFloat16::round
                        : (s, sAt, t, tAt, count) -> VectorFloat16.average(s, sAt, t, tAt, count, divisor);
            case BFLOAT16 ->
                divisor == 1
                        ? VectorBfloat16::round
                        : (s, sAt, t, tAt, count) -> VectorBfloat16.average(s, sAt, t, tAt, count, divisor);
            case FLOAT32 -> (s, sAt, t, tAt, count) -> VectorFloat32.finish(s, sAt, t, tAt, count, divisor);
            case FLOAT64 -> (s, sAt, t, tAt, count) -> VectorFloat64.finish(s, sAt, t, tAt, count, divisor);
            case COMPLEX64 -> KernelProvider.ofPairs(finish(DataType.FLOAT32, DataType.FLOAT32, divisor));
            case COMPLEX128 -> KernelProvider.ofPairs(finish(DataType.FLOAT64, DataType.FLOAT64, divisor));
            default -> scalar.finish(partial, type, divisor);
        };
    }
}

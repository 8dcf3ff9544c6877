package io.parex.tensor;

/** The reference: plain loops, which define the result of every kernel. */
final class ScalarKernels implements KernelProvider {

    @Override
    public String description() {
        return "scalar";
    }

    @Override
    public Kernel kernel(DataType type, ReduceOp op) {
        if (op.isBitwise()) {
            return KernelProvider.ofBytes(ScalarBits.kernel(op), type.bytes());
        }
        return switch (type) {
            case BOOL -> ScalarBits.kernel(KernelProvider.ofTruth(op));
            case UINT8 -> ScalarUint8.kernel(op);
            case INT8 -> ScalarInt8.kernel(op);
            case INT16 -> ScalarInt16.kernel(op);
            case INT32 -> ScalarInt32.kernel(op);
            case INT64 -> ScalarInt64.kernel(op);
            case FLOAT16 -> ScalarFloat16.kernel(op);
            case BFLOAT16 -> ScalarBfloat16.kernel(op);
            case FLOAT32 -> ScalarFloat32.kernel(op);
            case FLOAT64 -> ScalarFloat64.kernel(op);
            case COMPLEX64 -> KernelProvider.ofPairs(ScalarFloat32.kernel(op));
            case COMPLEX128 -> KernelProvider.ofPairs(ScalarFloat64.kernel(op));
            case FLOAT8_E4M3, FLOAT8_E5M2, UINT16, UINT32, UINT64 -> throw KernelProvider.missing("combine", type, op);
        };
    }

    @Override
    public Conversion widen(DataType type, DataType partial) {
        return switch (type) {
            case BOOL -> ScalarBits::truth;
            case UINT8 -> ScalarUint8::widen;
            case INT8 -> ScalarInt8::widen;
            case INT16 -> ScalarInt16::widen;
            case INT32 -> ScalarInt32::widen;
            case FLOAT16 -> ScalarFloat16::widen;
            case BFLOAT16 -> ScalarBfloat16::widen;
            default -> throw KernelProvider.missing("widen", type, partial);
        };
    }

    @Override
    public Conversion scale(DataType type, DataType partial, double factor) {
        float single = (float) factor;
        return switch (type) {
            case FLOAT16 -> (s, sAt, t, tAt, count) -> ScalarFloat16.scale(s, sAt, t, tAt, count, single);
            case BFLOAT16 -> (s, sAt, t, tAt, count) -> ScalarBfloat16.scale(s, sAt, t, tAt, count, single);
            case FLOAT32 -> (s, sAt, t, tAt, count) -> ScalarFloat32.scale(s, sAt, t, tAt, count, single);
            case FLOAT64 -> (s, sAt, t, tAt, count) -> ScalarFloat64.scale(s, sAt, t, tAt, count, factor);
            case COMPLEX64 -> KernelProvider.ofPairs(scale(DataType.FLOAT32, DataType.FLOAT32, factor));
            case COMPLEX128 -> KernelProvider.ofPairs(scale(DataType.FLOAT64, DataType.FLOAT64, factor));
            default -> throw KernelProvider.missing("scale", type, partial);
        };
    }

    @Override
    public Conversion finish(DataType partial, DataType type, int divisor) {
        return switch (type) {
            case UINT8, INT8 -> (s, sAt, t, tAt, count) -> ScalarInt8.finish(s, sAt, t, tAt, count, divisor);
            case INT16 -> (s, sAt, t, tAt, count) -> ScalarInt16.finish(s, sAt, t, tAt, count, divisor);
            case INT32 -> (s, sAt, t, tAt, count) -> ScalarInt32.finish(s, sAt, t, tAt, count, divisor);
            case INT64 -> (s, sAt, t, tAt, count) -> ScalarInt64.finish(s, sAt, t, tAt, count, divisor);
            case FLOAT16 -> (s, sAt, t, tAt, count) -> ScalarFloat16.finish(s, sAt, t, tAt, count, divisor);
            case BFLOAT16 -> (s, sAt, t, tAt, count) -> ScalarBfloat16.finish(s, sAt, t, tAt, count, divisor);
            case FLOAT32 -> (s, sAt, t, tAt, count) -> ScalarFloat32.finish(s, sAt, t, tAt, count, divisor);
            case FLOAT64 -> (s, sAt, t, tAt, count) -> ScalarFloat64.finish(s, sAt, t, tAt, count, divisor);
            case COMPLEX64 -> KernelProvider.ofPairs(finish(DataType.FLOAT32, DataType.FLOAT32, divisor));
            case COMPLEX128 -> KernelProvider.ofPairs(finish(DataType.FLOAT64, DataType.FLOAT64, divisor));
            default -> throw KernelProvider.missing("finish", partial, type);
        };
    }
}

package io.parex.tensor;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vector loops for float32, equal to {@link ScalarFloat32}, which also does the last elements that do not fill a
 * vector. Names and slices as there.
 */
final class VectorFloat32 {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();

    private VectorFloat32() {}

    static Kernel kernel(ReduceOp op) {
        return switch (op) {
            case SUM -> VectorFloat32::sum;
            case MIN -> VectorFloat32::min;
            case MAX -> VectorFloat32::max;
            case PRODUCT -> VectorFloat32::product;
            default -> throw KernelProvider.missing("combine", DataType.FLOAT32, op);
        };
    }

    static void sum(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Float.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            store(load(x, i).add(load(y, i)), z, i);
        }
        ScalarFloat32.sum(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    static void min(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Float.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            store(load(x, i).min(load(y, i)), z, i);
        }
        ScalarFloat32.min(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    static void max(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Float.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            store(load(x, i).max(load(y, i)), z, i);
        }
        ScalarFloat32.max(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    static void product(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Float.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            store(load(x, i).mul(load(y, i)), z, i);
        }
        ScalarFloat32.product(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    /** Divides, rounded once. */
    static void finish(MemorySegment s, long sAt, MemorySegment t, long tAt, long count, int divisor) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Float.BYTES;
        MemorySegment x = s.asSlice(sAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).div(divisor).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarFloat32.finish(s, sAt + bytes, t, tAt + bytes, count - whole, divisor);
    }

    /** Times a factor, rounded once. */
    static void scale(MemorySegment s, long sAt, MemorySegment t, long tAt, long count, float factor) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Float.BYTES;
        MemorySegment x = s.asSlice(sAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).mul(factor).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarFloat32.scale(s, sAt + bytes, t, tAt + bytes, count - whole, factor);
    }

    private static FloatVector load(MemorySegment segment, long offset) {
        return FloatVector.fromMemorySegment(SPECIES, segment, offset, Layouts.ORDER);
    }

    /** What is no number becomes one and the same NaN. */
    private static void store(FloatVector values, MemorySegment segment, long offset) {
        VectorMask<Float> nan = values.compare(VectorOperators.NE, values);
        values.blend(Float.NaN, nan).intoMemorySegment(segment, offset, Layouts.ORDER);
    }
}

package io.parex.tensor;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vector loops for int64, equal to {@link ScalarInt64}, which also does the last elements that do not fill a vector.
 * Names and slices as there.
 */
final class VectorInt64 {
    private static final VectorSpecies<Long> SPECIES = LongVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();

    private VectorInt64() {}

    static Kernel kernel(ReduceOp op) {
        return switch (op) {
            case SUM -> VectorInt64::sum;
            case MIN -> VectorInt64::min;
            case MAX -> VectorInt64::max;
            case PRODUCT -> VectorInt64::product;
            default -> throw KernelProvider.missing("combine", DataType.INT64, op);
        };
    }

    static void sum(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Long.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).add(load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarInt64.sum(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    static void min(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Long.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).min(load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarInt64.min(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    static void max(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Long.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).max(load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarInt64.max(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    static void product(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Long.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).mul(load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarInt64.product(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    private static LongVector load(MemorySegment segment, long offset) {
        return LongVector.fromMemorySegment(SPECIES, segment, offset, Layouts.ORDER);
    }
}

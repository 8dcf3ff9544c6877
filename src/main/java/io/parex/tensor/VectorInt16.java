package io.parex.tensor;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vector loops for int16, equal to {@link ScalarInt16}, which also does the last elements that do not fill a vector.
 * Names and slices as there.
 */
final class VectorInt16 {
    private static final VectorSpecies<Short> SPECIES = ShortVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();

    private VectorInt16() {}

    static Kernel kernel(ReduceOp op) {
        return switch (op) {
            case SUM -> VectorInt16::sum;
            case MIN -> VectorInt16::min;
            case MAX -> VectorInt16::max;
            case PRODUCT -> VectorInt16::product;
            default -> throw KernelProvider.missing("combine", DataType.INT16, op);
        };
    }

    static void sum(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Short.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).add(load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarInt16.sum(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    static void min(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Short.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).min(load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarInt16.min(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    static void max(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Short.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).max(load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarInt16.max(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    static void product(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Short.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).mul(load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarInt16.product(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    private static ShortVector load(MemorySegment segment, long offset) {
        return ShortVector.fromMemorySegment(SPECIES, segment, offset, Layouts.ORDER);
    }
}

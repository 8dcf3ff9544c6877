package io.parex.tensor;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vector loops for int8, equal to {@link ScalarInt8}, which also does the last elements that do not fill a vector, and
 * products: there is no instruction that multiplies bytes. Names and slices as there.
 */
final class VectorInt8 {
    private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();

    private VectorInt8() {}

    static Kernel kernel(ReduceOp op) {
        return switch (op) {
            case SUM -> VectorInt8::sum;
            case MIN -> VectorInt8::min;
            case MAX -> VectorInt8::max;
            default -> ScalarInt8.kernel(op);
        };
    }

    static void sum(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Byte.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).add(load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarInt8.sum(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    static void min(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Byte.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).min(load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarInt8.min(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    static void max(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Byte.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).max(load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarInt8.max(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    private static ByteVector load(MemorySegment segment, long offset) {
        return ByteVector.fromMemorySegment(SPECIES, segment, offset, Layouts.ORDER);
    }
}

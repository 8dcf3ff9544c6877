package io.parex.tensor;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vector loops for uint8, equal to {@link ScalarUint8}, which also does the last elements that do not fill a vector.
 * Names and slices as there.
 */
final class VectorUint8 {
    private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();

    private VectorUint8() {}

    static Kernel kernel(ReduceOp op) {
        return switch (op) {
            case SUM, PRODUCT -> VectorInt8.kernel(op);
            case MIN -> VectorUint8::min;
            case MAX -> VectorUint8::max;
            default -> throw KernelProvider.missing("combine", DataType.UINT8, op);
        };
    }

    static void min(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Byte.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).lanewise(VectorOperators.UMIN, load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarUint8.min(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    static void max(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Byte.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).lanewise(VectorOperators.UMAX, load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarUint8.max(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    private static ByteVector load(MemorySegment segment, long offset) {
        return ByteVector.fromMemorySegment(SPECIES, segment, offset, Layouts.ORDER);
    }
}

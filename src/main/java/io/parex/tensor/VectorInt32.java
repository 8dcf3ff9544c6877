package io.parex.tensor;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vector loops for int32, equal to {@link ScalarInt32}, which also does the last elements that do not fill a vector.
 * Names and slices as there.
 */
final class VectorInt32 {
    private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();
    private static final VectorSpecies<Long> WIDE = LongVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Integer> HALF =
            IntVector.SPECIES_PREFERRED.withShape(VectorShape.forBitSize(SPECIES.vectorBitSize() / 2));

    private VectorInt32() {}

    static Kernel kernel(ReduceOp op) {
        return switch (op) {
            case SUM -> VectorInt32::sum;
            case MIN -> VectorInt32::min;
            case MAX -> VectorInt32::max;
            case PRODUCT -> VectorInt32::product;
            default -> throw KernelProvider.missing("combine", DataType.INT32, op);
        };
    }

    static void sum(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Integer.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).add(load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarInt32.sum(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    static void min(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Integer.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).min(load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarInt32.min(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    static void max(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Integer.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).max(load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarInt32.max(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    static void product(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Integer.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).mul(load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarInt32.product(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    /** To int64, in which averages are summed. */
    static void widen(MemorySegment s, long sAt, MemorySegment t, long tAt, long count) {
        long whole = WIDE.loopBound(count);
        MemorySegment x = s.asSlice(sAt, whole * Integer.BYTES);
        MemorySegment z = t.asSlice(tAt, whole * Long.BYTES);
        for (long i = 0; i < whole; i += WIDE.length()) {
            IntVector.fromMemorySegment(HALF, x, i * Integer.BYTES, Layouts.ORDER)
                    .convertShape(VectorOperators.I2L, WIDE, 0)
                    .intoMemorySegment(z, i * Long.BYTES, Layouts.ORDER);
        }
        ScalarInt32.widen(s, sAt + whole * Integer.BYTES, t, tAt + whole * Long.BYTES, count - whole);
    }

    private static IntVector load(MemorySegment segment, long offset) {
        return IntVector.fromMemorySegment(SPECIES, segment, offset, Layouts.ORDER);
    }
}

package io.parex.tensor;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vector loops for bitwise operations, equal to {@link ScalarBits}, which also does the last bytes that do not fill a
 * vector. Names and slices as there.
 */
final class VectorBits {
    private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();

    private VectorBits() {}

    static Kernel kernel(ReduceOp op) {
        return switch (op) {
            case BAND -> VectorBits::and;
            case BOR -> VectorBits::or;
            case BXOR -> VectorBits::xor;
            default -> throw KernelProvider.missing("combine", "bits", op);
        };
    }

    static void and(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Byte.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).and(load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarBits.and(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    static void or(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Byte.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).or(load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarBits.or(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    static void xor(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        long bytes = whole * Byte.BYTES;
        MemorySegment x = a.asSlice(aAt, bytes);
        MemorySegment y = b.asSlice(bAt, bytes);
        MemorySegment z = t.asSlice(tAt, bytes);
        for (long i = 0; i < bytes; i += STEP) {
            load(x, i).lanewise(VectorOperators.XOR, load(y, i)).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarBits.xor(a, aAt + bytes, b, bAt + bytes, t, tAt + bytes, count - whole);
    }

    /** The least of 1 and what a byte holds, unsigned, is its truth. */
    static void truth(MemorySegment s, long sAt, MemorySegment t, long tAt, long count) {
        long whole = SPECIES.loopBound(count);
        MemorySegment x = s.asSlice(sAt, whole);
        MemorySegment z = t.asSlice(tAt, whole);
        for (long i = 0; i < whole; i += STEP) {
            load(x, i).lanewise(VectorOperators.UMIN, (byte) 1).intoMemorySegment(z, i, Layouts.ORDER);
        }
        ScalarBits.truth(s, sAt + whole, t, tAt + whole, count - whole);
    }

    private static ByteVector load(MemorySegment segment, long offset) {
        return ByteVector.fromMemorySegment(SPECIES, segment, offset, Layouts.ORDER);
    }
}

package io.parex.tensor;

import java.lang.foreign.MemorySegment;

/**
 * Reference loops for bitwise operations, byte by byte: the width of the integers does not matter. They serve bool as
 * well, whose partial results are 0 and 1.
 *
 * <p>Operands {@code a} and {@code b}, target {@code t}, each with the byte offset {@code ...At} of its first element.
 * Each loop runs on slices cut in its own method: that checks the bounds once, and lets C2 see what kind of segment it
 * has.
 */
final class ScalarBits {
    private ScalarBits() {}

    static Kernel kernel(ReduceOp op) {
        return switch (op) {
            case BAND -> ScalarBits::and;
            case BOR -> ScalarBits::or;
            case BXOR -> ScalarBits::xor;
            default -> throw KernelProvider.missing("combine", "bits", op);
        };
    }

    static void and(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Byte.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Byte.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Byte.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT8, i, (byte) (x.getAtIndex(Layouts.INT8, i) & y.getAtIndex(Layouts.INT8, i)));
        }
    }

    static void or(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Byte.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Byte.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Byte.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT8, i, (byte) (x.getAtIndex(Layouts.INT8, i) | y.getAtIndex(Layouts.INT8, i)));
        }
    }

    static void xor(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Byte.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Byte.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Byte.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT8, i, (byte) (x.getAtIndex(Layouts.INT8, i) ^ y.getAtIndex(Layouts.INT8, i)));
        }
    }

    /** Truth values as they stand in partial results: 1 for any bool but 0. */
    static void truth(MemorySegment s, long sAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = s.asSlice(sAt, count);
        MemorySegment z = t.asSlice(tAt, count);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT8, i, (byte) (x.getAtIndex(Layouts.INT8, i) == 0 ? 0 : 1));
        }
    }
}

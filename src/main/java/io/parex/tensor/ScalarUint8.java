package io.parex.tensor;

import java.lang.foreign.MemorySegment;

/**
 * Reference loops for uint8: sums and products wrap around, as those of {@link ScalarInt8} do, of which they have the
 * bits.
 *
 * <p>Operands {@code a} and {@code b}, target {@code t}, each with the byte offset {@code ...At} of its first element.
 * Each loop runs on slices cut in its own method: that checks the bounds once, and lets C2 see what kind of segment it
 * has.
 */
final class ScalarUint8 {
    private ScalarUint8() {}

    static Kernel kernel(ReduceOp op) {
        return switch (op) {
            case SUM, PRODUCT -> ScalarInt8.kernel(op);
            case MIN -> ScalarUint8::min;
            case MAX -> ScalarUint8::max;
            default -> throw KernelProvider.missing("combine", DataType.UINT8, op);
        };
    }

    static void min(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Byte.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Byte.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Byte.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT8, i, (byte) Math.min(
                    Byte.toUnsignedInt(x.getAtIndex(Layouts.INT8, i)),
                    Byte.toUnsignedInt(y.getAtIndex(Layouts.INT8, i))));
        }
    }

    static void max(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = a.asSlice(aAt, count * Byte.BYTES);
        MemorySegment y = b.asSlice(bAt, count * Byte.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Byte.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT8, i, (byte) Math.max(
                    Byte.toUnsignedInt(x.getAtIndex(Layouts.INT8, i)),
                    Byte.toUnsignedInt(y.getAtIndex(Layouts.INT8, i))));
        }
    }

    /** To int64, in which averages are summed. */
    static void widen(MemorySegment s, long sAt, MemorySegment t, long tAt, long count) {
        MemorySegment x = s.asSlice(sAt, count * Byte.BYTES);
        MemorySegment z = t.asSlice(tAt, count * Long.BYTES);
        for (long i = 0; i < count; i++) {
            z.setAtIndex(Layouts.INT64, i, Byte.toUnsignedLong(x.getAtIndex(Layouts.INT8, i)));
        }
    }
}

package io.parex.protocol.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Little endian numbers at any address. */
final class Wire {
    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt I32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong I64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Wire() {}

    static int u8(MemorySegment from, long at) {
        return Byte.toUnsignedInt(from.get(ValueLayout.JAVA_BYTE, at));
    }

    static int u16(MemorySegment from, long at) {
        return Short.toUnsignedInt(from.get(U16, at));
    }

    static int i32(MemorySegment from, long at) {
        return from.get(I32, at);
    }

    static long i64(MemorySegment from, long at) {
        return from.get(I64, at);
    }

    static void putU8(MemorySegment to, long at, int value) {
        to.set(ValueLayout.JAVA_BYTE, at, (byte) value);
    }

    static void putU16(MemorySegment to, long at, int value) {
        to.set(U16, at, (short) value);
    }

    static void putI32(MemorySegment to, long at, int value) {
        to.set(I32, at, value);
    }

    static void putI64(MemorySegment to, long at, long value) {
        to.set(I64, at, value);
    }

    /** Such as {@code 0x0000beef}. */
    static String hex(int checksum) {
        return "0x%08x".formatted(checksum);
    }
}

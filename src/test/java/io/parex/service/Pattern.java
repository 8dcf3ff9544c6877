package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** An int32 tensor of any size that needs no memory: element i is i times a large odd number. */
final class Pattern {
    private static final int FACTOR = 0x9E37_79B1;

    private Pattern() {}

    /** Elements from {@code first} on. */
    static ByteString chunk(long first, int count) {
        ByteBuffer buffer = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            buffer.putInt((int) (first + i) * FACTOR);
        }
        return ByteString.copyFrom(buffer.flip());
    }

    /** Asserts that {@code data} are the bytes from {@code position} on; gives the position after them. */
    static long check(ByteString data, long position) {
        ByteBuffer buffer = data.asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        for (long i = position / 4; buffer.hasRemaining(); i++) {
            int value = buffer.getInt();
            if (value != (int) i * FACTOR) {
                assertEquals((int) i * FACTOR, value, "element " + i);
            }
        }
        return position + data.size();
    }
}

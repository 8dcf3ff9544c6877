package io.parex.protocol.wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC32C of native memory and byte arrays. */
final class Checksum {
    private Checksum() {}

    static int of(MemorySegment bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.asByteBuffer());
        return (int) crc.getValue();
    }

    /** Of the {@code first} bytes from {@code at} on and the {@code second} bytes from {@code at + secondAt} on. */
    static int of(MemorySegment bytes, long at, int first, int secondAt, int second) {
        ByteBuffer buffer = bytes.asSlice(at, secondAt + second).asByteBuffer();
        CRC32C crc = new CRC32C();
        crc.update(buffer.limit(first));
        crc.update(buffer.limit(secondAt + second).position(secondAt));
        return (int) crc.getValue();
    }
}

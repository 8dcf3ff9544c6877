package io.parex.protocol.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class ChecksumTest {
    /** From RFC 3720, appendix B.4, and the usual check value. */
    @Test
    void shouldBeCrc32c() {
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        assertEquals(0xE3069283, Checksum.of(MemorySegment.ofArray(digits)));
        MemorySegment zeros = Arena.ofAuto().allocate(32);
        assertEquals(0x8A9136AA, Checksum.of(zeros));
        assertEquals(0x8A9136AA, Checksum.of(zeros, 0, 20, 20, 12));
    }

    @Test
    void shouldBeTheSameForAllSizesAndPlaces() {
        byte[] bytes = new byte[400];
        new Random(1).nextBytes(bytes);
        MemorySegment heap = MemorySegment.ofArray(bytes);
        MemorySegment outside = Arena.ofAuto().allocate(bytes.length);
        outside.copyFrom(heap);
        for (int at = 0; at < 9; at++) {
            for (int first = 0; first < 40; first++) {
                for (int second = 0; second < 100; second += 1 + second / 20) {
                    CRC32C expected = new CRC32C();
                    expected.update(bytes, at, first);
                    expected.update(bytes, at + 100, second);
                    assertEquals((int) expected.getValue(), Checksum.of(heap, at, first, 100, second));
                    assertEquals((int) expected.getValue(), Checksum.of(outside, at, first, 100, second));
                }
            }
        }
    }
}

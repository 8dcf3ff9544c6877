package io.parex.protocol.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.protocol.View;
import io.parex.protocol.wire.WireException.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HandshakeTest {
    private static final Hello HELLO =
            new Hello(5, 8, 2, 3, 4, 0xfedcba9876543210L, 9, 1, "train", "10.0.0.2:7610", -2);
    private static final String HELLO_HEX = """
            50415245580d0a1a010101004c0000000500000000000000
            080000000200000003000000040000000000000010325476
            98badcfe090000000000000001000500747261696e0d0031
            302e302e302e323a37363130feffffffffffffffd996b48e""";
    private static final Reject REJECT = new Reject(RejectReason.STALE, 9, 4, 6, -3, new View(3, 5, -2), "too late");
    private static final String REJECT_HEX = """
            50415245580d0a1a02010100400000000700090000000000
            000004000000000000000600000000000000fdffffffffff
            ffff030000000500000000000000feffffffffffffff0800
            746f6f206c617465c0a0ff14""";

    @Test
    void shouldLookLikeThis() {
        assertEquals(HELLO_HEX.replaceAll("\\s", ""), Bytes.hex(Bytes.of(HELLO)));
        assertEquals(REJECT_HEX.replaceAll("\\s", ""), Bytes.hex(Bytes.of(REJECT)));
        assertEquals(HELLO, read(Bytes.hex(HELLO_HEX)));
        assertEquals(REJECT, read(Bytes.hex(REJECT_HEX)));
    }

    @Test
    void shouldReadWhatWasWritten() {
        RandomFrames frames = new RandomFrames(new Random(1));
        for (int round = 0; round < 500; round++) {
            Hello hello = frames.hello();
            assertEquals(hello, read(Bytes.of(hello)));
        }
        for (RejectReason reason : RejectReason.values()) {
            Reject reject = new Reject(reason, 0, 1, View.NONE, "größer als " + reason);
            assertEquals(reject, read(Bytes.of(reject)));
        }
        String text = ((Reject) read(Bytes.of(new Reject(RejectReason.BUSY, "x".repeat(5000))))).text();
        assertEquals("x".repeat(968), text);
    }

    @Test
    void shouldReadTheSameInSegmentsOfAnySizeAndLeaveWhatFollows() {
        byte[] message = Bytes.of(HELLO);
        byte[] stream = Arrays.copyOf(message, message.length + 50);
        for (int size = 1; size <= stream.length; size++) {
            HandshakeReader reader = new HandshakeReader();
            Handshake read = null;
            int at = 0;
            while (read == null) {
                int segment = Math.min(size, stream.length - at);
                MemorySegment bytes = Arena.ofAuto().allocate(segment);
                MemorySegment.copy(MemorySegment.ofArray(stream), at, bytes, 0, segment);
                read = reader.feed(bytes);
                at += reader.consumed();
            }
            assertEquals(HELLO, read);
            assertEquals(message.length, at);
            assertEquals(1, reader.version());
        }
    }

    @Test
    void shouldWaitForMoreAfterEveryBeginning() {
        for (byte[] message : List.of(Bytes.of(HELLO), Bytes.of(REJECT))) {
            for (int length = 0; length < message.length; length++) {
                assertNull(read(Arrays.copyOf(message, length)));
            }
        }
    }

    @Test
    void shouldFindEveryBitThatChanges() {
        for (byte[] message : List.of(Bytes.of(HELLO), Bytes.of(REJECT))) {
            for (int bit = 0; bit < 8 * message.length; bit++) {
                byte[] changed = Arrays.copyOf(Bytes.flipped(message, bit), 2 * WireLimits.HANDSHAKE_BYTES);
                assertThrows(WireException.class, () -> read(changed), "bit " + bit);
            }
        }
    }

    @Test
    void shouldRefuseVersionsThatItDoesNotSpeak() {
        WireException e = assertThrows(WireException.class, () -> read(versions(Bytes.of(HELLO), 2, 4)));
        assertEquals(Kind.VERSION, e.kind());
        assertEquals("no version in common: the peer speaks 2 to 4, this side 1 to 1", e.getMessage());
        assertThrows(WireException.class, () -> read(versions(Bytes.of(HELLO), 0, 0)));
        assertThrows(WireException.class, () -> read(versions(Bytes.of(HELLO), 2, 1)));
    }

    /** It has no other way to say that there is no version in common. */
    @Test
    void shouldReadARejectionOfAnyVersion() {
        assertEquals(REJECT, read(versions(Bytes.of(REJECT), 7, 9)));
    }

    @Test
    void shouldSpeakTheVersionThatBothKnow() {
        HandshakeReader reader = new HandshakeReader();
        assertEquals(HELLO, reader.feed(MemorySegment.ofArray(versions(Bytes.of(HELLO), 1, 3))));
        assertEquals(1, reader.version());
    }

    @Test
    void shouldPassOverWhatALaterVersionAdds() {
        byte[] longer = longer(Bytes.of(HELLO));
        assertEquals(HELLO, read(versions(longer, 1, 2)));
        WireException e = assertThrows(WireException.class, () -> read(versions(longer, 1, 1)));
        assertEquals("HELLO, byte 76: end expected, 3 more bytes found", e.getMessage());
    }

    @Test
    void shouldRefuseWhatMakesNoSense() {
        assertUnsendable(
                "Hello: lane 65536 is not within 0 to 65535", new Hello(0, 8, 2, 3, 4, 5, 1, 65_536, "", "", 0));
        assertUnsendable("Hello: worldSize 0 is less than 1", new Hello(0, 0, 2, 3, 4, 5, 1, 6, "", "", 0));
        assertUnsendable("Hello: from -1 is less than 0", new Hello(0, 8, -1, 3, 4, 5, 1, 6, "", "", 0));
        assertUnsendable(
                "Hello: world of 300 characters does not fit into 256 bytes of UTF-8",
                new Hello(0, 8, 2, 3, 4, 5, 1, 6, "w".repeat(300), "", 0));
        byte[] huge = Bytes.of(HELLO);
        Wire.putI32(MemorySegment.ofArray(huge), 12, 1025);
        WireException e = assertThrows(WireException.class, () -> read(huge));
        assertEquals("handshake: length 1025 is more than 1024", e.getMessage());
    }

    @Test
    void shouldSayWhatHasComeSoFar() {
        HandshakeReader reader = new HandshakeReader();
        assertEquals("0 bytes", reader.received());
        assertNull(reader.feed(MemorySegment.ofArray(Arrays.copyOf(Bytes.of(HELLO), 3))));
        assertEquals("3 bytes: 50 41 52", reader.received());
    }

    @Test
    void shouldRefuseAnythingElseInNoOtherWay() {
        Random random = new Random(6);
        for (int round = 0; round < 5000; round++) {
            byte[] bytes = Bytes.of(round % 2 == 0 ? HELLO : REJECT);
            for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                bytes[8 + random.nextInt(bytes.length - 8)] = (byte) random.nextInt();
            }
            byte[] sealed = round % 3 == 0 ? bytes : sealed(bytes);
            try {
                read(sealed);
            } catch (WireException e) {
                assertTrue(e.getMessage().length() < 300, e.getMessage());
            }
        }
    }

    private static Handshake read(byte[] bytes) {
        return new HandshakeReader().feed(MemorySegment.ofArray(bytes));
    }

    private static byte[] versions(byte[] message, int min, int max) {
        byte[] changed = message.clone();
        changed[9] = (byte) min;
        changed[10] = (byte) max;
        return sealed(changed);
    }

    private static byte[] longer(byte[] message) {
        byte[] longer = Arrays.copyOf(message, message.length + 3);
        longer[12] += 3;
        return sealed(longer);
    }

    private static byte[] sealed(byte[] message) {
        MemorySegment bytes = MemorySegment.ofArray(message);
        int covered = message.length - 4;
        Wire.putI32(bytes, covered, Checksum.of(bytes.asSlice(0, covered)));
        return message;
    }

    private static void assertUnsendable(String expected, Hello hello) {
        WireException e = assertThrows(WireException.class, () -> Bytes.of(hello));
        assertEquals(Kind.UNSENDABLE, e.kind());
        assertEquals(expected, e.getMessage());
    }
}

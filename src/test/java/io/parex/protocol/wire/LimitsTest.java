package io.parex.protocol.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.parex.ErrorKind;
import io.parex.protocol.Descriptor;
import io.parex.protocol.Failure;
import io.parex.protocol.Frame;
import io.parex.protocol.wire.WireException.Kind;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What has no place in a frame is refused, when written and when read. */
class LimitsTest {
    private static final Stamp FIRST = new Stamp(0, 1, 0, 0);

    @ParameterizedTest
    @ValueSource(ints = {WireLimits.BODY_BYTES + 1, 1 << 30, Integer.MAX_VALUE, -1, Integer.MIN_VALUE, 0x20544547})
    void shouldRefuseLengthsBeyondTheLimitWithoutTakingMemory(int length) {
        for (FrameType type : FrameType.values()) {
            byte[] header = new byte[WireLimits.HEADER_BYTES];
            MemorySegment bytes = MemorySegment.ofArray(header);
            Wire.putU8(bytes, 0, type.code());
            Wire.putI32(bytes, 4, type == FrameType.DATA && length > 0 ? length | 1 << 24 : length);
            FrameReader reader = new FrameReader(new RecordedFrames());
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            WireException e = assertThrows(WireException.class, () -> reader.feed(bytes));
            long taken = threads.getCurrentThreadAllocatedBytes() - before;
            assertTrue(e.getMessage().startsWith("header of " + type + ": length "), e.getMessage());
            assertTrue(taken < 256 << 10, taken + " bytes");
        }
    }

    @Test
    void shouldSayWhichLengthIsWrongAndWhatIsAllowed() {
        assertUnsendable(
                "header of DATA frame 1: length 65553 is not within 16 to 65552",
                Header.data(0, 0, WireLimits.PAYLOAD_BYTES + 1, 1, 0, 0));
        assertUnsendable(
                "header of DATA frame 1: length 65557 is not within 20 to 65540",
                Header.data(Header.PAYLOAD_CRC, 16, WireLimits.PAYLOAD_BYTES + 1, 1, 0, 0));
        assertUnsendable(
                "header of DATA frame 1: length 17 is not within 16 to 16", Header.data(Header.VOID, 0, 1, 1, 0, 0));
    }

    @Test
    void shouldRefuseHeadersThatMakeNoSense() {
        assertUnsendable("header of DATA: number 0", Header.data(0, 0, 1, 0, 0, 0));
        assertUnsendable("header of DATA frame 1: start 8 is no multiple of 16", Header.data(0, 8, 1, 1, 0, 0));
        assertUnsendable("header of DATA frame 1: flags 0x8 are not all known", Header.data(8, 0, 1, 1, 0, 0));
        assertUnsendable(
                "header of DATA frame 1: is void, so has no payload to check",
                Header.data(Header.VOID | Header.PAYLOAD_CRC, 0, 0, 1, 0, 0));
        assertUnsendable(
                "header of DATA frame 1: ackBytes 65537 is more than a payload, 65536",
                Header.data(0, 0, 1, 1, 0, WireLimits.PAYLOAD_BYTES + 1));
        assertUnsendable("header of DATA frame 1: number 1, ackFrame -1: negative", Header.data(0, 0, 1, 1, -1, 0));
        Frame frame = new Frame.Accept(1, 2);
        assertUnsendable("header of ACCEPT: number 0", () -> Bytes.of(frame, new Stamp(0, 0, 0, 0)));
        assertUnsendable(
                "header of ACCEPT frame 1: flags 0x1, start 0: for DATA only",
                () -> Bytes.of(frame, new Stamp(Header.PAYLOAD_CRC, 1, 0, 0)));
        assertUnsendable("header of PING frame 1: number 1, must be 0", () -> Bytes.of(new LinkFrame.Ping(1), FIRST));
    }

    @Test
    void shouldRefuseValuesThatMakeNoSense() {
        assertUnsendable("ACCEPT: bytes -1 is less than 0", new Frame.Accept(1, -1));
        assertUnsendable("ACCEPT: transfer -1 is less than 0", new Frame.Accept(-1, 1));
        assertUnsendable("GRANT: ordinal -1 is less than 0", new Frame.Grant(1, 2, -1, barrier("ring", ""), 5));
        assertUnsendable(
                "OPEN: eager 6 is more than the transfer's 5 bytes",
                new Frame.Open(1, 2, 3, 4, barrier("ring", ""), 5, 6));
        assertUnsendable(
                "ENVELOPE: message of 3 float32 with 4 eager bytes: all or none",
                new Frame.Envelope(1, 2, 3, 4, DataType.FLOAT32, 3, 4));
        assertUnsendable(
                "ENVELOPE: message of 4611686018427387904 int16 is too long",
                new Frame.Envelope(1, 2, 3, 4, DataType.INT16, 1L << 62, 0));
        assertUnsendable("FAIL: origin -1 is less than 0", new Frame.Fail(1, 2, new Failure(ErrorKind.LEFT, -1, "")));
    }

    @Test
    void shouldRefuseNamesThatDoNotFitAndNeverCutThem() {
        Bytes.of(new Frame.Inquire(1, 2, barrier("ring", "x".repeat(256))), FIRST);
        Bytes.of(new Frame.Inquire(1, 2, barrier("ring", "ä".repeat(128))), FIRST);
        assertUnsendable(
                "INQUIRE: name of 257 characters does not fit into 256 bytes of UTF-8",
                new Frame.Inquire(1, 2, barrier("ring", "x".repeat(257))));
        assertUnsendable(
                "INQUIRE: name of 129 characters does not fit into 256 bytes of UTF-8",
                new Frame.Inquire(1, 2, barrier("ring", "ä".repeat(129))));
        assertUnsendable(
                "INQUIRE: algorithm of 1 characters does not fit into 256 bytes of UTF-8",
                new Frame.Inquire(1, 2, barrier("\ud83d", "")));
    }

    @Test
    void shouldCutTextsBetweenCharacters() {
        for (String character : List.of("x", "ä", "€", "😀")) {
            int size = character.getBytes(StandardCharsets.UTF_8).length;
            for (int shift = 0; shift < size; shift++) {
                String text = "x".repeat(shift) + character.repeat(10_000);
                String read = failureText(text);
                assertTrue(text.startsWith(read));
                int bytes = read.getBytes(StandardCharsets.UTF_8).length;
                assertTrue(bytes <= 8192 && bytes > 8192 - size, bytes + " bytes");
            }
        }
        assertEquals("half ? of it", failureText("half \ud83d of it"));
        // The text is cut at 8,192 characters before it is turned into bytes, here in the middle of a pair.
        assertEquals("x".repeat(8191), failureText("x".repeat(8191) + "😀"));
    }

    private static String failureText(String text) {
        Frame frame = new Frame.Refuse(1, new Failure(ErrorKind.ABORTED, 0, text));
        RecordedFrames recorded = new RecordedFrames();
        new FrameReader(recorded).feed(MemorySegment.ofArray(Bytes.of(frame, FIRST)));
        return ((Frame.Refuse) recorded.contents().getFirst()).failure().text();
    }

    @Test
    void shouldRefuseBodiesThatAreTooLongOrTooShort() {
        byte[] frame = Bytes.of(new Frame.Accept(1, 2), FIRST);
        assertMalformed("ACCEPT frame 1, byte 16: end expected, 1 more bytes found", resized(frame, frame.length + 1));
        assertMalformed("ACCEPT frame 1, byte 8: bytes needs 8 bytes, 7 are left", resized(frame, frame.length - 1));
        assertMalformed("ACCEPT frame 1, byte 0: transfer needs 8 bytes, 0 are left", resized(frame, 32));
    }

    @Test
    void shouldRefuseFieldsThatAreWrong() {
        byte[] accept = Bytes.of(new Frame.Accept(1, 2), FIRST);
        assertMalformed("ACCEPT frame 1, byte 8: bytes -9223372036854775806 is less than 0", changed(accept, 47, 0x80));
        byte[] refuse = Bytes.of(new Frame.Refuse(1, new Failure(ErrorKind.LEFT, 0, "öö")), FIRST);
        assertMalformed("REFUSE frame 1, byte 8: kind 99 is unknown", changed(refuse, 40, 99));
        assertMalformed("REFUSE frame 1, byte 8: kind 0 is unknown", changed(refuse, 40, 0));
        assertMalformed("REFUSE frame 1, byte 15: text is not UTF-8", changed(refuse, 47, 0xFF));
        assertMalformed("REFUSE frame 1, byte 15: text needs 5 bytes, 4 are left", changed(refuse, 45, 5));
        assertMalformed("REFUSE frame 1, byte 13: text has 32772 bytes, more than 8192", changed(refuse, 46, 0x80));
        byte[] resume = Bytes.of(new LinkFrame.Resume(1, 0), new Stamp(0, 0, 0, 0));
        assertMalformed("RESUME, byte 8: bytes 16777216 is more than a payload, 65536", changed(resume, 32 + 11, 1));
    }

    private static Descriptor barrier(String algorithm, String name) {
        return new Descriptor(Primitive.BARRIER, null, null, -1, 0, "", algorithm, name);
    }

    private static byte[] resized(byte[] frame, int size) {
        byte[] resized = Arrays.copyOf(frame, size);
        Wire.putI32(MemorySegment.ofArray(resized), 4, size - WireLimits.HEADER_BYTES);
        return Bytes.sealed(resized, size - WireLimits.HEADER_BYTES);
    }

    private static byte[] changed(byte[] frame, int at, int value) {
        byte[] changed = frame.clone();
        changed[at] = (byte) value;
        return Bytes.sealed(changed, changed.length - WireLimits.HEADER_BYTES);
    }

    private static void assertMalformed(String expected, byte[] frame) {
        RecordedFrames recorded = new RecordedFrames();
        WireException e =
                assertThrows(WireException.class, () -> new FrameReader(recorded).feed(MemorySegment.ofArray(frame)));
        assertEquals(expected, e.getMessage());
        assertEquals(Kind.MALFORMED, e.kind());
        assertEquals(List.of(), recorded.events());
    }

    private static void assertUnsendable(String expected, Header header) {
        MemorySegment target = MemorySegment.ofArray(new byte[FrameEncoder.DATA_HEAD_BYTES]);
        assertUnsendable(expected, () -> FrameEncoder.encodeData(header, 1, 2, target, 0));
    }

    private static void assertUnsendable(String expected, Frame frame) {
        assertUnsendable(expected, () -> FrameEncoder.size(frame));
        assertUnsendable(expected, () -> {
            FrameEncoder.encode(frame, FIRST, MemorySegment.ofArray(new byte[1000]), 0);
        });
    }

    private static void assertUnsendable(String expected, Runnable encode) {
        WireException e = assertThrows(WireException.class, encode::run);
        assertEquals(expected, e.getMessage());
        assertEquals(Kind.UNSENDABLE, e.kind());
    }
}

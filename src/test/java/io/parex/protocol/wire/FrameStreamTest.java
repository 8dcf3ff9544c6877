package io.parex.protocol.wire;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.protocol.Frame;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of frames with any values: whole, cut anywhere, cut short, damaged. */
class FrameStreamTest {
    private static final int FRAMES = 30;

    /** As long as the longest frame, as a longer length waits for that much. */
    private static final MemorySegment FOLLOWING = MemorySegment.ofArray(new byte[2 * WireLimits.PAYLOAD_BYTES]);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldReadWhatWasWritten(long seed) {
        RandomFrames frames = new RandomFrames(new Random(seed));
        for (int round = 0; round < 50; round++) {
            for (Frame frame : frames.each()) {
                Stamp stamp = frames.stamp(FrameType.of(frame));
                assertRead(frame, stamp, Bytes.of(frame, stamp));
            }
            LinkFrame frame = frames.nextOfLink();
            Stamp stamp = frames.stamp(FrameType.of(frame));
            assertRead(frame, stamp, Bytes.of(frame, stamp));
        }
    }

    private static void assertRead(Object frame, Stamp stamp, byte[] bytes) {
        RecordedFrames.Event event = read(bytes, bytes.length).getFirst();
        assertEquals(frame, event.content());
        Header header = event.header();
        assertEquals(stamp, new Stamp(header.flags(), header.number(), header.ackFrame(), header.ackBytes()));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldReadTheSameInSegmentsOfAnySize(long seed) {
        byte[] stream = stream(new Random(seed));
        List<RecordedFrames.Event> whole = read(stream, stream.length);
        assertEquals(FRAMES, whole.size());
        for (int size = 1; size < stream.length; size += 1 + size / 64) {
            assertEquals(whole, read(stream, size), "segments of " + size + " bytes");
        }
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            RecordedFrames recorded = new RecordedFrames();
            FrameReader reader = new FrameReader(recorded);
            for (int at = 0; at < stream.length; ) {
                int size = Math.min(random.nextInt(1 << random.nextInt(13)), stream.length - at);
                reader.feed(nativeCopy(stream, at, size));
                at += size;
            }
            assertEquals(whole, recorded.events());
        }
    }

    @Test
    void shouldWaitForMoreAfterEveryBeginning() {
        byte[] stream = stream(new Random(4));
        List<RecordedFrames.Event> whole = read(stream, stream.length);
        for (int length = 0; length < stream.length; length++) {
            MemorySegment beginning = MemorySegment.ofArray(stream).asSlice(0, length);
            RecordedFrames recorded = new RecordedFrames();
            assertDoesNotThrow(() -> new FrameReader(recorded).feed(beginning));
            int read = recorded.events().size();
            assertTrue(read < FRAMES);
            assertEquals(whole.subList(0, read), recorded.events());
        }
    }

    @Test
    void shouldFindEveryBitThatChanges() {
        RandomFrames frames = new RandomFrames(new Random(5));
        List<byte[]> samples = new ArrayList<>();
        for (Frame frame : frames.each()) {
            samples.add(Bytes.of(frame, frames.stamp(FrameType.of(frame))));
        }
        for (int i = 0; i < 10; i++) {
            LinkFrame frame = frames.nextOfLink();
            samples.add(Bytes.of(frame, frames.stamp(FrameType.of(frame))));
        }
        Header checked = Header.data(Header.PAYLOAD_CRC, 0, 40, 3, 2, 1);
        samples.add(Bytes.of(checked, 1, 2, new byte[40]));
        samples.forEach(sample -> assertFindsChanges(sample, 8 * sample.length));
        byte[] plain = Bytes.of(Header.data(0, 16, 40, 3, 2, 1), 1, 2, new byte[40]);
        assertFindsChanges(plain, 8 * FrameEncoder.DATA_HEAD_BYTES);
    }

    private static void assertFindsChanges(byte[] sample, int bits) {
        for (int bit = 0; bit < bits; bit++) {
            RecordedFrames recorded = new RecordedFrames();
            FrameReader reader = new FrameReader(recorded);
            MemorySegment changed = MemorySegment.ofArray(Bytes.flipped(sample, bit));
            WireException e = assertThrows(
                    WireException.class,
                    () -> {
                        reader.feed(changed);
                        reader.feed(FOLLOWING);
                    },
                    "bit " + bit);
            assertEquals(WireException.Kind.DAMAGED, e.kind(), e.getMessage());
            assertEquals(List.of(), recorded.events());
            assertEquals(0, recorded.pieces());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldRefuseAnythingElseInNoOtherWay(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 1000; round++) {
            byte[] bytes = round % 2 == 0 ? noise(random) : damaged(random);
            int size = 1 + random.nextInt(bytes.length);
            try {
                read(bytes, size);
            } catch (WireException e) {
                assertTrue(e.getMessage().length() < 400, e.getMessage());
            }
        }
    }

    /** Bytes whose checksum is right, so that the fields are looked at. */
    private static byte[] noise(Random random) {
        byte[] bytes = new byte[WireLimits.HEADER_BYTES + random.nextInt(200)];
        random.nextBytes(bytes);
        FrameType[] types = FrameType.values();
        FrameType type = types[random.nextInt(types.length)];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        int length = bytes.length - WireLimits.HEADER_BYTES;
        long number = type.isSequenced() ? 1 : 0;
        int body = type == FrameType.DATA ? Math.min(length, WireLimits.DATA_BODY_BYTES) : length;
        Wire.putI64(segment, 0, type.code() | (long) length << 32);
        Wire.putI64(segment, 8, number);
        Wire.putI64(segment, 16, 0);
        Wire.putI32(segment, 24, 0);
        return Bytes.sealed(bytes, body);
    }

    private static byte[] damaged(Random random) {
        byte[] stream = stream(random);
        for (int changes = 1 + random.nextInt(5); changes > 0; changes--) {
            stream[random.nextInt(stream.length)] = (byte) random.nextInt();
        }
        return stream;
    }

    private static byte[] stream(Random random) {
        RandomFrames frames = new RandomFrames(random);
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (int i = 0; i < FRAMES; i++) {
            switch (random.nextInt(3)) {
                case 0 -> {
                    Frame frame = frames.next();
                    stream.writeBytes(Bytes.of(frame, frames.stamp(FrameType.of(frame))));
                }
                case 1 -> {
                    LinkFrame frame = frames.nextOfLink();
                    stream.writeBytes(Bytes.of(frame, frames.stamp(FrameType.of(frame))));
                }
                default -> stream.writeBytes(data(random));
            }
        }
        return stream.toByteArray();
    }

    private static byte[] data(Random random) {
        int flags = new int[] {0, Header.ACK_NOW, Header.PAYLOAD_CRC, Header.VOID}[random.nextInt(4)];
        byte[] payload = new byte[flags == Header.VOID ? 0 : random.nextInt(300)];
        random.nextBytes(payload);
        int start = WireLimits.UNIT_BYTES * random.nextInt(20);
        Header header = Header.data(flags, start, payload.length, 1 + random.nextInt(100), 0, 0);
        return Bytes.of(header, random.nextInt(100), random.nextInt(1 << 20), payload);
    }

    private static List<RecordedFrames.Event> read(byte[] stream, int segmentBytes) {
        RecordedFrames recorded = new RecordedFrames();
        FrameReader reader = new FrameReader(recorded);
        for (int at = 0; at < stream.length; at += segmentBytes) {
            reader.feed(MemorySegment.ofArray(stream).asSlice(at, Math.min(segmentBytes, stream.length - at)));
        }
        return recorded.events();
    }

    private static MemorySegment nativeCopy(byte[] stream, int at, int size) {
        MemorySegment copy = Arena.ofAuto().allocate(size);
        MemorySegment.copy(MemorySegment.ofArray(stream), at, copy, 0, size);
        return copy;
    }
}

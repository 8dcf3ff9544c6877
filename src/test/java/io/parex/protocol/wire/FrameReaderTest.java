package io.parex.protocol.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.protocol.Frame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameReaderTest {
    private static final int HEAD = FrameEncoder.DATA_HEAD_BYTES;

    private final RecordedFrames recorded = new RecordedFrames();
    private final FrameReader reader = new FrameReader(recorded);

    @Test
    void shouldPassPayloadOnAsItArrivesInWholeUnits() {
        byte[] frame = Bytes.of(Header.data(0, 0, 100, 1, 0, 0), 3, 1000, payload(100));
        feed(frame, 0, HEAD + 15);
        assertEquals(0, recorded.unfinishedBytes());
        assertEquals(0, reader.deliveredBytes());
        feed(frame, HEAD + 15, HEAD + 16);
        assertEquals(16, recorded.unfinishedBytes());
        feed(frame, HEAD + 16, HEAD + 70);
        assertEquals(64, reader.deliveredBytes());
        feed(frame, HEAD + 70, HEAD + 100);
        assertEquals(List.of(new RecordedFrames.Payload(3, 1000, Bytes.hex(payload(100)))), recorded.contents());
        assertEquals(4, recorded.pieces());
        assertEquals(0, reader.deliveredBytes());
    }

    @Test
    void shouldNotCopyPayloadThatArrivesInOneSegment() {
        MemorySegment frame = MemorySegment.ofArray(Bytes.of(Header.data(0, 0, 100, 1, 0, 0), 3, 1000, payload(100)));
        List<MemorySegment> pieces = new ArrayList<>();
        new FrameReader(new Pieces(pieces)).feed(frame);
        assertEquals(List.of(frame.asSlice(HEAD, 100)), pieces);
    }

    /** The connection breaks anywhere, also within a unit: the next one goes on where the listener is. */
    @Test
    void shouldGoOnOnAnotherConnection() {
        byte[] payload = payload(200);
        byte[] frame = Bytes.of(Header.data(0, 0, 200, 9, 0, 0), 3, 1000, payload);
        for (int arrived = HEAD; arrived < frame.length; arrived++) {
            RecordedFrames before = new RecordedFrames();
            FrameReader broken = new FrameReader(before);
            broken.feed(MemorySegment.ofArray(frame).asSlice(0, arrived));
            int start = broken.deliveredBytes();
            assertEquals((arrived - HEAD) / 16 * 16, start);
            assertEquals(start, before.unfinishedBytes());

            RecordedFrames after = new RecordedFrames();
            FrameReader next = new FrameReader(after);
            byte[] rest = Arrays.copyOfRange(payload, start, 200);
            byte[] again = Bytes.of(Header.data(0, start, rest.length, 9, 0, 0), 3, 1000, rest);
            next.feed(MemorySegment.ofArray(again).asSlice(0, HEAD));
            assertEquals(start, next.deliveredBytes());
            next.feed(MemorySegment.ofArray(again).asSlice(HEAD));
            assertEquals(List.of(new RecordedFrames.Payload(3, 1000 + start, Bytes.hex(rest))), after.contents());
        }
    }

    @Test
    void shouldPassCheckedPayloadOnOnlyWhenItIsProved() {
        byte[] frame = Bytes.of(Header.data(Header.PAYLOAD_CRC, 0, 100, 8, 0, 0), 3, 0, payload(100));
        feed(frame, 0, frame.length - 1);
        assertEquals(0, recorded.pieces());
        assertEquals(0, reader.deliveredBytes());
        feed(frame, frame.length - 1, frame.length);
        assertEquals(1, recorded.pieces());
        assertEquals(1, recorded.events().size());

        WireException e = assertThrows(WireException.class, () -> feed(Bytes.flipped(frame, 8 * HEAD + 77)));
        assertEquals(WireException.Kind.DAMAGED, e.kind());
        assertTrue(e.getMessage().startsWith("payload of DATA frame 8, 100 bytes from 0 on: CRC32C is "));
        assertEquals(1, recorded.pieces());
    }

    @Test
    void shouldTakeTheLargestPayloadAndTheSmallest() {
        for (int flags : new int[] {0, Header.PAYLOAD_CRC}) {
            for (int size : new int[] {0, 1, WireLimits.PAYLOAD_BYTES}) {
                RecordedFrames large = new RecordedFrames();
                FrameReader chunked = new FrameReader(large);
                MemorySegment frame =
                        MemorySegment.ofArray(Bytes.of(Header.data(flags, 0, size, 1, 0, 0), 1, 0, payload(size)));
                for (long at = 0; at < frame.byteSize(); at += 1000) {
                    chunked.feed(frame.asSlice(at, Math.min(1000, frame.byteSize() - at)));
                }
                assertEquals(List.of(new RecordedFrames.Payload(1, 0, Bytes.hex(payload(size)))), large.contents());
            }
        }
    }

    @Test
    void shouldPassOverOptionalFramesThatItDoesNotKnow() {
        byte[] ping = Bytes.of(new LinkFrame.Ping(1), new Stamp(0, 0, 0, 0));
        byte[] unknown = Bytes.of(new LinkFrame.Close("of a later version"), new Stamp(0, 5, 0, 0));
        unknown[0] = 0x7F;
        unknown[1] = (byte) 0xF8;
        Bytes.sealed(unknown, unknown.length - WireLimits.HEADER_BYTES);
        feed(Bytes.join(unknown, ping));
        assertEquals(List.of("skipped", new LinkFrame.Ping(1)), recorded.contents());
        assertEquals(5, recorded.events().getFirst().header().number());
        assertEquals(
                "frame type 0x7f frame 5", recorded.events().getFirst().header().toString());
    }

    @Test
    void shouldRefuseOtherFramesThatItDoesNotKnow() {
        byte[] unknown = Bytes.of(new LinkFrame.Ack(), new Stamp(0, 0, 0, 0));
        unknown[0] = (byte) 0xFE;
        WireException e = assertThrows(WireException.class, () -> feed(Bytes.sealed(unknown, 0)));
        assertEquals(WireException.Kind.MALFORMED, e.kind());
        assertEquals("header of frame type 0xfe: must be understood, and is not by this version", e.getMessage());
    }

    @Test
    void shouldPassNothingOnOnceStopped() {
        List<Object> heard = new ArrayList<>();
        FrameReader[] stopping = new FrameReader[1];
        stopping[0] = new FrameReader(new Pieces(new ArrayList<>()) {
            @Override
            public void onControl(Header header, Frame frame) {
                heard.add(frame);
                stopping[0].stop();
            }
        });
        byte[] frame = Bytes.of(new Frame.Accept(1, 2), new Stamp(0, 1, 0, 0));
        stopping[0].feed(MemorySegment.ofArray(Bytes.join(frame, frame)));
        stopping[0].feed(MemorySegment.ofArray(frame));
        assertEquals(List.of(new Frame.Accept(1, 2)), heard);
    }

    @Test
    void shouldStopWhenTheListenerThrows() {
        List<Object> heard = new ArrayList<>();
        FrameReader throwing = new FrameReader(new Pieces(new ArrayList<>()) {
            @Override
            public void onHeader(Header header) {
                heard.add(header);
                throw new IllegalStateException("no");
            }
        });
        MemorySegment frame = MemorySegment.ofArray(Bytes.of(new Frame.Accept(1, 2), new Stamp(0, 1, 0, 0)));
        assertThrows(IllegalStateException.class, () -> throwing.feed(frame));
        throwing.feed(frame);
        assertEquals(1, heard.size());
    }

    private void feed(byte[] bytes) {
        feed(bytes, 0, bytes.length);
    }

    private void feed(byte[] bytes, int from, int to) {
        reader.feed(MemorySegment.ofArray(bytes).asSlice(from, to - from));
    }

    private static byte[] payload(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private static class Pieces implements FrameListener {
        private final List<MemorySegment> pieces;

        Pieces(List<MemorySegment> pieces) {
            this.pieces = pieces;
        }

        @Override
        public void onHeader(Header header) {}

        @Override
        public void onControl(Header header, Frame frame) {}

        @Override
        public void onLink(Header header, LinkFrame frame) {}

        @Override
        public void onData(Header header, long transfer, long offset, MemorySegment piece, boolean last) {
            pieces.add(piece);
        }

        @Override
        public void onVoid(Header header, long transfer, long offset) {}

        @Override
        public void onSkipped(Header header) {}
    }
}

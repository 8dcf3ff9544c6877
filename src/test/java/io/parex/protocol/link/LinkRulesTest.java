package io.parex.protocol.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.protocol.wire.FrameEncoder;
import io.parex.protocol.wire.Header;
import io.parex.protocol.wire.LinkFrame;
import io.parex.protocol.wire.Stamp;
import io.parex.protocol.wire.WireException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a peer may not say. */
class LinkRulesTest {
    private final ManualTiming timing = new ManualTiming();
    private final Side side = new Side(timing);

    private static byte[] resume(long frame, int bytes) {
        byte[] room = new byte[100];
        int length = FrameEncoder.encode(
                new LinkFrame.Resume(frame, bytes), new Stamp(0, 0, frame, bytes), MemorySegment.ofArray(room), 0);
        return Arrays.copyOf(room, length);
    }

    private static byte[] note(long number, long acknowledged) {
        byte[] room = new byte[100];
        int length = FrameEncoder.encode(
                Pairing.note(number), new Stamp(0, number, acknowledged, 0), MemorySegment.ofArray(room), 0);
        return Arrays.copyOf(room, length);
    }

    private static byte[] link(LinkFrame frame, long number) {
        byte[] room = new byte[100];
        int length = FrameEncoder.encode(frame, new Stamp(0, number, 0, 0), MemorySegment.ofArray(room), 0);
        return Arrays.copyOf(room, length);
    }

    private static byte[] data(long number, int start, int bytes) {
        byte[] room = new byte[FrameEncoder.DATA_HEAD_BYTES + bytes];
        FrameEncoder.encodeData(Header.data(0, start, bytes, number, 0, 0), 1, 0, MemorySegment.ofArray(room), 0);
        return room;
    }

    private void resumed() {
        side.attach();
        side.arrive(resume(0, 0));
        side.carrier.takeAll();
    }

    private void assertMalformed(byte[] bytes) {
        WireException refused = assertThrows(WireException.class, () -> side.arrive(bytes));
        assertEquals(WireException.Kind.MALFORMED, refused.kind(), refused.getMessage());
    }

    @Test
    void shouldRefuseAGapInTheNumbers() {
        resumed();
        side.arrive(note(1, 0));
        assertMalformed(note(3, 0));
        assertEquals(1, side.user.frames.size());
    }

    @Test
    void shouldRefuseANumberThatWasThere() {
        resumed();
        side.arrive(note(1, 0));
        side.arrive(note(2, 0));
        assertMalformed(note(2, 0));
        assertEquals(2, side.user.frames.size());
    }

    @Test
    void shouldRefuseAFrameThatGoesOnElsewhere() {
        resumed();
        assertMalformed(data(1, 16, 16));
        side.detach();
        side.attach();
        side.arrive(resume(0, 0));
        side.arrive(Arrays.copyOf(data(1, 0, 64), 48 + 32));
        side.detach();
        side.attach();
        side.arrive(resume(0, 0));
        assertMalformed(data(1, 16, 48));
    }

    @Test
    void shouldRefuseAnotherFrameInPlaceOfTheRestOfOne() {
        resumed();
        side.arrive(Arrays.copyOf(data(1, 0, 64), 48 + 32));
        side.detach();
        side.attach();
        side.arrive(resume(0, 0));
        assertMalformed(note(1, 0));
    }

    @Test
    void shouldRefuseFramesBeforeResumeAndASecondResume() {
        side.attach();
        assertMalformed(note(1, 0));
        side.detach();
        resumed();
        assertMalformed(resume(0, 0));
    }

    @Test
    void shouldRefuseAnAcknowledgementOfWhatWasNotSent() {
        resumed();
        side.send(Pairing.note(1));
        side.arrive(note(1, 1));
        assertMalformed(note(2, 2));
    }

    @Test
    void shouldPassOverAnAcknowledgementThatIsOlder() {
        resumed();
        side.send(Pairing.note(1), Pairing.note(2));
        side.arrive(note(1, 2));
        side.arrive(note(2, 1));
        assertTrue(side.link.isFlushed());
    }

    @Test
    void shouldRefuseAPositionThatCannotBe() {
        for (Position wrong : List.of(
                new Position(0, 0), // behind what was acknowledged
                new Position(4, 0), // ahead of what was sent
                new Position(1, 16), // within a control frame
                new Position(2, 48), // at the end of a frame that would then be consumed whole
                new Position(2, 65_536),
                new Position(2, 17), // within a unit
                new Position(3, 16))) { // within a frame that does not exist
            Side fresh = new Side(timing);
            fresh.attach();
            fresh.arrive(resume(0, 0));
            fresh.send(Pairing.note(1), Pairing.note(2), Pairing.lent(1, Pairing.memory(48, 0)));
            fresh.arrive(note(1, 1));
            fresh.detach();
            fresh.attach();
            WireException refused = assertThrows(
                    WireException.class, () -> fresh.arrive(resume(wrong.frames(), wrong.bytes())), wrong.toString());
            assertEquals(WireException.Kind.MALFORMED, refused.kind(), refused.getMessage());
        }
    }

    @Test
    void shouldTakeEveryPositionThatCanBe() {
        for (Position right : List.of(
                new Position(1, 0), new Position(2, 0), new Position(2, 16), new Position(2, 32), new Position(3, 0))) {
            Side fresh = new Side(timing);
            fresh.attach();
            fresh.arrive(resume(0, 0));
            fresh.send(Pairing.note(1), Pairing.note(2), Pairing.lent(1, Pairing.memory(48, 0)));
            fresh.arrive(note(1, 1));
            fresh.detach();
            fresh.attach();
            fresh.carrier.takeAll();
            fresh.arrive(resume(right.frames(), right.bytes()));
            int rest = right.frames() == 3 ? 0 : right.frames() == 1 ? 2 : 1;
            assertEquals(rest, FrameTape.of(fresh.carrier.takeAll()).size(), right.toString());
        }
    }

    @Test
    void shouldTakeNothingMoreOfAConnectionThatWasWrong() {
        resumed();
        assertMalformed(note(5, 0));
        side.arrive(note(1, 0));
        assertEquals(List.of(), side.user.frames);
    }

    @Test
    void shouldRefuseWhatComesAfterTheClose() {
        resumed();
        side.arrive(link(new LinkFrame.Close("end"), 1));
        assertEquals(List.of("end"), side.user.closes);
        assertMalformed(note(2, 0));
        assertEquals("closed end", side.user.told.getLast());
    }

    @Test
    void shouldCountAFrameItDoesNotKnow() {
        resumed();
        byte[] known = note(1, 0);
        assertEquals(1, FrameTape.of(known).size());
        side.arrive(known);
        assertEquals(1, side.user.frames.size());
        side.send(Pairing.note(9));
        assertEquals(
                1,
                new FrameTape().read(side.carrier.takeAll()).headers.getFirst().ackFrame());
    }
}

package io.parex.protocol.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.protocol.Frame;
import io.parex.protocol.wire.Header;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Numbers, windows, and when what has been consumed is acknowledged. */
class LinkOrderTest {
    private static final int FRAME = LinkLimits.FRAME_PAYLOAD;

    private final Pairing pairing = Pairing.connected();
    private final Side near = pairing.near;
    private final Side far = pairing.far;

    @Test
    void shouldBeginEveryConnectionWithResumeAndNumberFramesFromOne() {
        Side alone = new Side(pairing.timing);
        alone.send(Pairing.note(7), Pairing.note(8));
        alone.attach();
        assertEquals(List.of("Resume[frame=0, bytes=0]"), FrameTape.of(alone.carrier.takeAll()));
        Side other = new Side(pairing.timing);
        other.attach();
        alone.arrive(other.carrier.takeAll());
        assertEquals(List.of("1 " + Pairing.note(7), "2 " + Pairing.note(8)), FrameTape.of(alone.carrier.takeAll()));
    }

    @Test
    void shouldWriteNothingNewBeforeThePeerHasSaidWhereItIs() {
        Pairing fresh = new Pairing();
        fresh.connect();
        fresh.near.carrier.takeAll();
        fresh.near.send(Pairing.note(1));
        assertEquals(0, fresh.near.carrier.left());
    }

    @Test
    void shouldFlushOnceForAllFramesOfATurn() {
        int before = near.carrier.flushes();
        near.send(Pairing.note(1), Pairing.note(2), Pairing.note(3));
        assertEquals(before + 1, near.carrier.flushes());
    }

    @Test
    void shouldStopDataAtTheWindowButNotControl() {
        MemorySegment memory = Pairing.memory((int) LinkLimits.WINDOW + 3 * FRAME, 0);
        near.send(Pairing.lent(1, memory));
        byte[] sent = near.carrier.takeAll();
        assertEquals(LinkLimits.WINDOW / FRAME, FrameTape.of(sent).size());
        near.send(Pairing.note(1));
        assertEquals(1, FrameTape.of(near.carrier.take(1 << 20)).size(), "a control frame goes");
        far.arrive(sent);
        near.arrive(far.carrier.takeAll());
        assertTrue(near.carrier.left() > 0, "an acknowledgement opens the window");
    }

    @Test
    void shouldWriteOnlyWhileTheConnectionTakesMore() {
        near.carrier.writable(false);
        near.send(Pairing.note(1));
        assertEquals(0, near.carrier.left());
        near.carrier.writable(true);
        near.link.writable();
        assertTrue(near.carrier.left() > 0);
    }

    @Test
    void shouldAcknowledgeControlAfterAMillisecond() {
        near.send(Pairing.note(1));
        far.arrive(near.carrier.takeAll());
        pairing.timing.pass(LinkLimits.ACKNOWLEDGE_WITHIN - 1);
        assertEquals(0, far.carrier.left());
        pairing.timing.pass(1);
        FrameTape tape = new FrameTape().read(far.carrier.takeAll());
        assertEquals(List.of("Ack[]"), tape.words);
        assertEquals(1, tape.headers.getFirst().ackFrame());
        pairing.timing.pass(10 * LinkLimits.ACKNOWLEDGE_WITHIN);
        assertEquals(0, far.carrier.left(), "once is enough");
    }

    @Test
    void shouldAcknowledgeTheEndOfLentMemoryAtOnce() {
        near.send(Pairing.lent(1, Pairing.memory(100, 0)));
        far.arrive(near.carrier.takeAll());
        assertEquals(List.of("Ack[]"), FrameTape.of(far.carrier.takeAll()));
    }

    @Test
    void shouldAcknowledgeACopyAfterAMillisecond() {
        near.send(pairing.copied(1, Pairing.memory(100, 0)));
        far.arrive(near.carrier.takeAll());
        pairing.timing.pass(LinkLimits.ACKNOWLEDGE_WITHIN - 1);
        assertEquals(0, far.carrier.left());
        pairing.timing.pass(1);
        assertEquals(List.of("Ack[]"), FrameTape.of(far.carrier.takeAll()));
    }

    @Test
    void shouldAcknowledgeAfterAQuarterMebibyte() {
        near.send(new Frame.Data(1, 0, payload(LinkLimits.ACKNOWLEDGE_AFTER), false));
        byte[] bytes = near.carrier.takeAll();
        far.link.arrived(MemorySegment.ofArray(bytes).asSlice(0, bytes.length - 1));
        far.link.turnOver();
        assertEquals(0, far.carrier.left(), "not quite");
        far.arrive(new byte[] {bytes[bytes.length - 1]});
        FrameTape tape = new FrameTape().read(far.carrier.takeAll());
        assertEquals(List.of("Ack[]"), tape.words);
        assertEquals(
                LinkLimits.ACKNOWLEDGE_AFTER / FRAME, tape.headers.getFirst().ackFrame());
    }

    private static io.parex.protocol.Payload payload(long bytes) {
        return io.parex.protocol.Payload.lent(Pairing.memory((int) bytes, 0));
    }

    @Test
    void shouldLetAnyFrameCarryTheAcknowledgement() {
        near.send(Pairing.note(1));
        far.arrive(near.carrier.takeAll());
        far.send(Pairing.note(5));
        FrameTape tape = new FrameTape().read(far.carrier.takeAll());
        assertEquals(1, tape.headers.getFirst().ackFrame());
        pairing.timing.pass(5 * LinkLimits.ACKNOWLEDGE_WITHIN);
        assertEquals(0, far.carrier.left(), "no frame of its own is needed");
    }

    @Test
    void shouldTellInTheHeaderHowFarIntoAFrameItIs() {
        near.send(Pairing.lent(1, Pairing.memory(4000, 0)));
        far.arrive(near.carrier.take(32 + 16 + 1000));
        far.send(Pairing.note(5));
        Header header = new FrameTape().read(far.carrier.takeAll()).headers.getFirst();
        assertEquals(0, header.ackFrame());
        assertEquals(1000 / 16 * 16, header.ackBytes());
    }

    @Test
    void shouldSayWhatArrivedBeforeTheClose() {
        MemorySegment memory = Pairing.memory(200_000, 1);
        near.send(Pairing.lent(1, memory), Pairing.note(1));
        near.link.close("done");
        near.send(Pairing.note(2), pairing.copied(9, memory));
        pairing.flow();
        assertArrayEquals(memory.toArray(ValueLayout.JAVA_BYTE), far.user.tensor(1));
        assertEquals(List.of(Pairing.note(1)), far.user.frames);
        assertEquals(List.of("done"), far.user.closes);
        assertEquals("closed done", far.user.told.getLast());
        assertEquals(0, pairing.pool.usedBytes());
        assertTrue(near.link.isFlushed());
        assertFalse(near.link.isGone());
        assertTrue(far.link.isGone());
    }

    @Test
    void shouldAnswerAPing() {
        near.link.ping();
        far.arrive(near.carrier.takeAll());
        String pong = FrameTape.of(far.carrier.takeAll()).getFirst();
        assertTrue(pong.startsWith("Pong[token="), pong);
    }
}

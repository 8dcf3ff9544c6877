package io.parex.protocol.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.protocol.Failure;
import io.parex.protocol.Frame;
import io.parex.protocol.Payload;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Memory that a rank lends to the link, and copies that travel with it: given back in time, and not before. */
class LeaseTest {
    private static final int LARGE = 200_000;
    private static final int FIRST_FRAME = 48 + LinkLimits.FRAME_PAYLOAD;
    private static final Failure GIVEN_UP = new Failure(ErrorKind.ABORTED, 0, "given up");

    private final Pairing pairing = Pairing.connected();
    private final Side near = pairing.near;
    private final Side far = pairing.far;

    private static Frame withdraw(long transfer) {
        return new Frame.Withdraw(transfer, GIVEN_UP);
    }

    private static Frame released(long transfer) {
        return new Frame.Released(transfer, Long.MAX_VALUE);
    }

    @Test
    void shouldReturnLentMemoryAsItIsAcknowledged() {
        near.send(Pairing.lent(1, Pairing.memory(LARGE, 0)));
        far.arrive(near.carrier.take(FIRST_FRAME));
        assertEquals(List.of(), near.user.returned);
        pairing.timing.pass(LinkLimits.ACKNOWLEDGE_WITHIN);
        near.arrive(far.carrier.takeAll());
        assertEquals(List.of("1 65536"), near.user.returned);
        pairing.settle();
        assertEquals("1 " + LARGE, near.user.returned.getLast());
    }

    @Test
    void shouldNotReturnMemoryToWhichTheConnectionStillRefers() {
        near.carrier.cling();
        near.send(Pairing.lent(1, Pairing.memory(LARGE, 0)), Pairing.lent(2, Pairing.memory(5000, 0)));
        far.arrive(near.carrier.takeAll());
        near.arrive(far.carrier.takeAll());
        assertEquals(List.of(), near.user.returned, "acknowledged, but not let go of");
        near.carrier.letGo();
        assertTrue(near.user.returned.contains("1 " + LARGE), near.user.returned.toString());
        assertTrue(near.user.returned.contains("2 5000"), near.user.returned.toString());
    }

    @Test
    void shouldReturnNothingThatWasOnlyLetGo() {
        near.send(Pairing.lent(1, Pairing.memory(LARGE, 0)));
        near.carrier.takeAll();
        pairing.cut();
        assertEquals(List.of(), near.user.returned);
    }

    @Test
    void shouldReturnMemoryWhoseBytesThePeerHadWhenItResumed() {
        near.send(Pairing.lent(1, Pairing.memory(LARGE, 0)));
        far.arrive(near.carrier.takeAll());
        pairing.cut();
        pairing.connect();
        pairing.settle();
        assertEquals(List.of("1 " + LARGE), near.user.returned);
    }

    @Test
    void shouldReleaseACopyOnceWhenItIsAcknowledged() {
        near.send(pairing.copied(1, Pairing.memory(LARGE, 0)));
        far.arrive(near.carrier.takeAll());
        assertTrue(pairing.pool.usedBytes() > 0, "may have to be sent again");
        pairing.timing.pass(LinkLimits.ACKNOWLEDGE_WITHIN);
        assertTrue(pairing.pool.usedBytes() > 0, "the acknowledgement is under way");
        near.arrive(far.carrier.takeAll());
        assertEquals(0, pairing.pool.usedBytes());
        assertEquals(List.of(), near.user.returned, "nobody waits for a copy");
    }

    @Test
    void shouldReleaseACopyWithTheNextFrameOfThePeer() {
        near.send(pairing.copied(1, Pairing.memory(100, 0)));
        far.arrive(near.carrier.takeAll());
        far.send(Pairing.note(5));
        near.arrive(far.carrier.takeAll());
        assertEquals(0, pairing.pool.usedBytes());
    }

    @Test
    void shouldKeepACopyToWhichTheConnectionStillRefers() {
        near.carrier.cling();
        near.send(pairing.copied(1, Pairing.memory(LARGE, 0)));
        far.arrive(near.carrier.takeAll());
        pairing.timing.pass(LinkLimits.ACKNOWLEDGE_WITHIN);
        assertTrue(far.carrier.left() > 0, "acknowledged");
        near.arrive(far.carrier.takeAll());
        assertTrue(pairing.pool.usedBytes() > 0);
        near.carrier.letGo();
        assertEquals(0, pairing.pool.usedBytes());
    }

    @Test
    void shouldReleaseCopiesThatNobodySends() {
        near.link.close("end");
        near.send(pairing.copied(1, Pairing.memory(100, 0)));
        assertEquals(0, pairing.pool.usedBytes(), "after the close");
        far.link.lost("gone");
        far.send(pairing.copied(1, Pairing.memory(100, 0)));
        assertEquals(0, pairing.pool.usedBytes(), "after the loss");
    }

    @Test
    void shouldNeverReadMemoryAfterItWasGivenBack() {
        MemorySegment memory = Pairing.memory(LARGE, 0);
        near.send(Pairing.lent(1, memory));
        far.arrive(near.carrier.take(FIRST_FRAME + 100));
        near.send(withdraw(1));
        // What the connection refers to it still sends; the word of the receiver comes behind.
        far.arrive(near.carrier.takeAll());
        assertEquals(withdraw(1), far.user.frames.getFirst());
        far.send(released(1));
        near.arrive(far.carrier.takeAll());
        assertEquals(List.of(released(1)), near.user.frames);
        memory.fill((byte) 0x55);
        pairing.cut();
        pairing.connect();
        pairing.settle();
        byte[] came = far.user.tensor(1);
        assertTrue(came.length > FIRST_FRAME);
        assertArrayEquals(Arrays.copyOf(Pairing.memory(LARGE, 0).toArray(ValueLayout.JAVA_BYTE), came.length), came);
    }

    @Test
    void shouldSendTheFramesOfAWithdrawnTransferVoidOnTheNextConnection() {
        near.send(Pairing.lent(1, Pairing.memory(LARGE, 0)), Pairing.note(5));
        far.arrive(near.carrier.take(FIRST_FRAME + 1000));
        near.send(withdraw(1));
        pairing.cut();
        pairing.connect();
        near.arrive(far.carrier.takeAll());
        FrameTape tape = new FrameTape().read(near.carrier.takeAll());
        assertTrue(tape.words.stream().noneMatch(word -> word.contains("data")), tape.words.toString());
        assertTrue(tape.words.stream().anyMatch(word -> word.contains("void 1")), tape.words.toString());
        pairing.cut();
        pairing.connect();
        pairing.settle();
        assertEquals(List.of(Pairing.note(5), withdraw(1)), sorted(far.user.frames));
        assertTrue(near.link.isFlushed());
        assertEquals(List.of("1 65536"), near.user.returned, "only what the peer had");
    }

    private static List<Frame> sorted(List<Frame> frames) {
        return frames.stream()
                .sorted((a, b) -> Boolean.compare(a instanceof Frame.Withdraw, b instanceof Frame.Withdraw))
                .toList();
    }

    @Test
    void shouldGiveTheMemoryBackAfterTwoHundredMillisecondsWithoutAnAnswer() {
        near.send(Pairing.lent(1, Pairing.memory(LARGE, 0)));
        near.carrier.takeAll();
        near.send(withdraw(1));
        pairing.timing.pass(LinkLimits.WITHDRAW_WITHIN - 1);
        assertEquals(List.of(), near.user.frames);
        pairing.timing.pass(1);
        assertEquals(List.of(released(1)), near.user.frames);
        assertFalse(near.carrier.isClosed(), "nothing of it refers to the memory");
        far.send(released(1));
        near.arrive(far.carrier.takeAll());
        assertEquals(List.of(released(1)), near.user.frames, "said once");
    }

    @Test
    void shouldCutTheConnectionThatHoldsTheMemoryForTooLong() {
        near.send(Pairing.lent(1, Pairing.memory(LARGE, 0)));
        near.send(withdraw(1));
        pairing.timing.pass(LinkLimits.WITHDRAW_WITHIN);
        assertTrue(near.carrier.isClosed());
        assertEquals(List.of(), near.user.frames, "not yet let go of");
        near.detach();
        assertEquals(List.of(released(1)), near.user.frames);
    }

    @Test
    void shouldWaitForTheConnectionWhenTheAnswerComesFirst() {
        near.carrier.cling();
        near.send(Pairing.lent(1, Pairing.memory(LARGE, 0)));
        near.send(withdraw(1));
        far.arrive(near.carrier.takeAll());
        far.send(released(1));
        near.arrive(far.carrier.takeAll());
        assertEquals(List.of(), near.user.frames);
        near.carrier.letGo();
        assertEquals(List.of(released(1)), near.user.frames);
        pairing.timing.pass(2 * LinkLimits.WITHDRAW_WITHIN);
        assertEquals(List.of(released(1)), near.user.frames, "said once");
        assertFalse(near.carrier.isClosed());
    }

    @Test
    void shouldCutAConnectionThatHoldsTheMemoryAlsoWhenTheAnswerHasCome() {
        near.send(Pairing.lent(1, Pairing.memory(LARGE, 0)));
        near.send(withdraw(1));
        far.send(released(1));
        near.arrive(far.carrier.takeAll());
        assertEquals(List.of(), near.user.frames);
        pairing.timing.pass(LinkLimits.WITHDRAW_WITHIN);
        assertTrue(near.carrier.isClosed());
        near.detach();
        assertEquals(List.of(released(1)), near.user.frames);
    }

    @Test
    void shouldWaitForFramesThatWereAcknowledgedAndNotLetGo() {
        near.carrier.cling();
        MemorySegment memory = Pairing.memory(2 * LinkLimits.FRAME_PAYLOAD, 0);
        near.send(Pairing.lent(1, memory));
        far.arrive(near.carrier.take(FIRST_FRAME));
        pairing.timing.pass(LinkLimits.ACKNOWLEDGE_WITHIN);
        near.arrive(far.carrier.takeAll());
        near.carrier.takeAll();
        near.send(withdraw(1));
        far.send(released(1));
        near.arrive(far.carrier.takeAll());
        assertEquals(List.of(), near.user.frames, "the connection refers to both frames");
        near.carrier.letGo();
        assertEquals(List.of(released(1)), near.user.frames);
    }

    @Test
    void shouldDropWhatOfAWithdrawnTransferWasNotSentYet() {
        near.carrier.writable(false);
        near.send(pairing.copied(1, Pairing.memory(LARGE, 0)), Pairing.lent(2, Pairing.memory(LARGE, 0)));
        near.send(withdraw(1), withdraw(2));
        assertEquals(0, pairing.pool.usedBytes());
        near.carrier.writable(true);
        near.link.writable();
        List<String> words = FrameTape.of(near.carrier.takeAll());
        assertEquals(List.of("1 " + withdraw(1), "2 " + withdraw(2)), words);
    }

    @Test
    void shouldWithdrawWithoutAConnection() {
        pairing.cut();
        near.send(Pairing.lent(1, Pairing.memory(LARGE, 0)), withdraw(1));
        pairing.timing.pass(LinkLimits.WITHDRAW_WITHIN);
        assertEquals(List.of(released(1)), near.user.frames);
        pairing.connect();
        pairing.settle();
        assertEquals(List.of(withdraw(1)), far.user.frames);
        assertEquals(0, far.user.tensor(1).length);
    }

    @Test
    void shouldReturnWhatCameOfSeveralPiecesAndTransfersInOrder() {
        MemorySegment memory = Pairing.memory(3000, 0);
        near.send(
                new Frame.Data(1, 0, Payload.lent(memory.asSlice(0, 1000)), false),
                Pairing.lent(2, memory),
                new Frame.Data(1, 1000, Payload.lent(memory.asSlice(1000)), true));
        pairing.settle();
        List<String> returned = near.user.returned;
        assertEquals("1 3000", returned.getLast(), returned.toString());
        assertTrue(returned.containsAll(Arrays.asList("2 3000", "1 1000")), returned.toString());
    }
}

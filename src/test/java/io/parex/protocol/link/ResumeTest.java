package io.parex.protocol.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.protocol.Frame;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Connections that break, and that not a byte comes twice or is missing. */
class ResumeTest {
    private static final int SMALL = 100;

    /** Longer than what is copied, so that it goes by reference. */
    private static final int LARGE = 2100;

    private static byte[] bytes(MemorySegment memory) {
        return memory.toArray(ValueLayout.JAVA_BYTE);
    }

    private record Sent(Pairing pairing, MemorySegment first, MemorySegment second) {
        static Sent begin() {
            Sent sent = new Sent(Pairing.connected(), Pairing.memory(LARGE, 1), Pairing.memory(SMALL, 2));
            sent.send();
            return sent;
        }

        private void send() {
            pairing.near.send(
                    Pairing.note(1),
                    pairing.copied(7, first),
                    Pairing.lent(8, second),
                    new Frame.Leave(1, 2),
                    Pairing.note(2));
        }

        void check(String where) {
            RecordingUser user = pairing.far.user;
            assertArrayEquals(bytes(first), user.tensor(7), where);
            assertArrayEquals(bytes(second), user.tensor(8), where);
            assertEquals(List.of(Pairing.note(1), new Frame.Leave(1, 2), Pairing.note(2)), user.frames, where);
            assertEquals(List.of("8 " + SMALL), pairing.near.user.returned, where);
            assertEquals(0, pairing.pool.usedBytes(), where);
            assertTrue(pairing.near.link.isFlushed(), where);
        }
    }

    @Test
    void shouldGoOnFromEveryByteOfEveryFrame() {
        int all = Sent.begin().pairing().near.carrier.left();
        for (int cut = 0; cut <= all; cut++) {
            Sent sent = Sent.begin();
            sent.pairing().far.arrive(sent.pairing().near.carrier.take(cut));
            sent.pairing().cut();
            sent.pairing().connect();
            sent.pairing().settle();
            sent.check("cut after byte " + cut);
        }
    }

    @Test
    void shouldGoOnFromEveryByteWhateverWasAcknowledgedBefore() {
        int all = Sent.begin().pairing().near.carrier.left();
        for (int cut = 0; cut <= all; cut++) {
            Sent sent = Sent.begin();
            Pairing pairing = sent.pairing();
            pairing.far.arrive(pairing.near.carrier.take(cut));
            pairing.timing.pass(LinkLimits.ACKNOWLEDGE_WITHIN);
            pairing.near.arrive(pairing.far.carrier.takeAll());
            pairing.cut();
            pairing.connect();
            pairing.settle();
            sent.check("cut after byte " + cut);
        }
    }

    @Test
    void shouldGoOnWhenTheResumeItselfIsCut() {
        for (int first = 30; first < 4000; first += 61) {
            for (int second = 0; second < 200; second += 7) {
                Sent sent = Sent.begin();
                Pairing pairing = sent.pairing();
                pairing.far.arrive(pairing.near.carrier.take(first));
                pairing.cut();
                pairing.connect();
                pairing.near.arrive(pairing.far.carrier.take(second));
                pairing.far.arrive(pairing.near.carrier.take(second));
                pairing.cut();
                pairing.connect();
                pairing.settle();
                sent.check("cut after bytes " + first + " and " + second);
            }
        }
    }

    @Test
    void shouldBringEverythingOverConnectionsOfAnyLengthBothWays() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Pairing pairing = new Pairing();
            MemorySegment there = Pairing.memory(300_000 + random.nextInt(1000), seed);
            MemorySegment back = Pairing.memory(200_000 + random.nextInt(1000), seed + 1);
            pairing.near.send(Pairing.lent(1, there), Pairing.note(1));
            pairing.far.send(pairing.copied(1, back), Pairing.note(2));
            while (!pairing.near.link.isFlushed() || !pairing.far.link.isFlushed()) {
                pairing.connect();
                for (int turn = random.nextInt(6); turn >= 0; turn--) {
                    pairing.far.arrive(pairing.near.carrier.take(random.nextInt(40_000)));
                    pairing.near.arrive(pairing.far.carrier.take(random.nextInt(40_000)));
                    pairing.timing.pass(random.nextInt(2_000_000));
                }
                pairing.cut();
            }
            assertArrayEquals(bytes(there), pairing.far.user.tensor(1), "seed " + seed);
            assertArrayEquals(bytes(back), pairing.near.user.tensor(1), "seed " + seed);
            assertEquals(List.of(Pairing.note(1)), pairing.far.user.frames, "seed " + seed);
            assertEquals(0, pairing.pool.usedBytes(), "seed " + seed);
        }
    }

    @Test
    void shouldSendTheRestOfAFrameOnly() {
        Pairing pairing = Pairing.connected();
        pairing.near.send(Pairing.lent(1, Pairing.memory(LARGE, 1)));
        pairing.far.arrive(pairing.near.carrier.take(48 + 1000));
        pairing.cut();
        pairing.connect();
        pairing.near.arrive(pairing.far.carrier.takeAll());
        FrameTape tape = new FrameTape().read(pairing.near.carrier.takeAll());
        assertEquals(992, tape.headers.getLast().start());
        assertEquals(LARGE - 992, tape.headers.getLast().payloadBytes());
    }

    @Test
    void shouldNotAskForTheBytesOfASplitUnitTwice() {
        Pairing pairing = Pairing.connected();
        pairing.near.send(Pairing.lent(1, Pairing.memory(64, 1)));
        pairing.far.arrive(pairing.near.carrier.take(48 + 16 + 3));
        pairing.cut();
        pairing.far.attach();
        assertEquals(
                "Resume[frame=0, bytes=16]",
                FrameTape.of(pairing.far.carrier.takeAll()).getFirst());
    }
}

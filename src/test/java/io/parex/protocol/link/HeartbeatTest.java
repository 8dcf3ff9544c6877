package io.parex.protocol.link;

import static io.parex.protocol.link.PeerPair.MILLI;
import static io.parex.protocol.link.PeerPair.POLICY;
import static io.parex.protocol.link.PeerPair.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections that say nothing, and those that say what they must not. */
class HeartbeatTest {
    private final PeerPair pair = PeerPair.connected();

    @Test
    void shouldKeepAnIdleConnectionForEver() {
        pair.pass(60 * SECOND, () -> {});
        assertEquals(1, pair.low.link.connections());
        assertTrue(pair.low.link.isConnected());
        assertEquals(List.of(), pair.low.user.told);
    }

    @Test
    void shouldAskASilentPeerBeforeItIsGivenUp() {
        pair.timing.pass(POLICY.detectNanos() / 5);
        List<String> asked = FrameTape.of(pair.low.carrier().takeAll());
        assertTrue(asked.getFirst().startsWith("Ping"), asked.toString());
        assertFalse(pair.low.carrier().isClosed());
    }

    @Test
    void shouldGiveUpASilentConnectionAndDialAgain() {
        HandCarrier silent = pair.low.carriers.removeFirst();
        pair.timing.pass(POLICY.detectNanos() * 9 / 10);
        assertTrue(silent.isClosed());
        pair.low.ended(silent);
        pair.timing.pass(MILLI);
        assertTrue(pair.low.link.trouble().startsWith("silent for"), pair.low.link.trouble());
        assertEquals(1, pair.dials.size());
    }

    @Test
    void shouldLoseASilentPeerAtTheBound() {
        HandCarrier silent = pair.low.carriers.removeFirst();
        for (int i = 0; i < 1040 && pair.low.user.closes.isEmpty(); i++) {
            pair.timing.pass(5 * MILLI);
            if (silent.isClosed() && !silent.hasEnded()) {
                pair.low.ended(silent);
            }
            // The other rank's dials do not get through either.
            List.copyOf(pair.dials).forEach(dial -> dial.fail(false));
        }
        assertEquals(List.of("cannot be reached: no answer"), pair.low.user.closes);
    }

    private void breakOnce(byte[] wrong, int split) {
        pair.passUntil(() -> pair.low.link.isConnected(), () -> {
            if (pair.dials.getFirst().from == pair.low) {
                pair.dials.getFirst().connect();
            } else {
                pair.dials.getFirst().fail(false);
            }
        });
        pair.flow();
        HandCarrier carrier = pair.low.carrier();
        if (split > 0) {
            pair.low.link.arrived(carrier, MemorySegment.ofArray(wrong).asSlice(0, split));
            pair.low.link.turnOver(carrier);
        }
        pair.low.link.arrived(carrier, MemorySegment.ofArray(wrong).asSlice(split));
        assertTrue(carrier.isClosed());
        pair.low.carriers.remove(carrier);
        pair.high.carriers.clear();
        pair.low.ended(carrier);
        pair.high.ended(carrier.other());
    }

    @Test
    void shouldLoseAPeerThatBreaksTheProtocolThreeTimesInARow() {
        byte[] wrong = Malformed.secondResume();
        breakOnce(wrong, 0);
        breakOnce(wrong, 10);
        assertEquals(List.of(), pair.low.user.closes);
        breakOnce(wrong, 0);
        assertEquals(1, pair.low.user.closes.size());
        String reason = pair.low.user.closes.getFirst();
        assertTrue(reason.startsWith("it breaks the protocol: RESUME comes a second time"), reason);
    }

    @Test
    void shouldNotHoldOldFaultsAgainstAPeerThatGetsOn() {
        byte[] wrong = Malformed.secondResume();
        for (int i = 0; i < 8; i++) {
            breakOnce(wrong, 5);
            breakOnce(wrong, 0);
            pair.passUntil(
                    () -> pair.low.link.isConnected(),
                    () -> pair.dials.getFirst().connect());
            pair.high.link.send(Pairing.note(i));
            pair.flow();
        }
        assertEquals(List.of(), pair.low.user.closes);
        assertEquals(8, pair.low.user.frames.size());
    }

    @Test
    void shouldTakeDamagedBytesForTheNetworksFault() {
        byte[] damaged = Malformed.secondResume();
        damaged[31] ^= 1;
        for (int i = 0; i < 10; i++) {
            breakOnce(damaged, 0);
        }
        assertEquals(List.of(), pair.low.user.closes);
    }
}

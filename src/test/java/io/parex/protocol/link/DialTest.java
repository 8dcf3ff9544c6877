package io.parex.protocol.link;

import static io.parex.protocol.link.PeerPair.MILLI;
import static io.parex.protocol.link.PeerPair.POLICY;
import static io.parex.protocol.link.PeerPair.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.protocol.wire.Reject;
import io.parex.protocol.wire.RejectReason;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How two ranks come to have one connection, and when one takes the other for lost. */
class DialTest {
    private PeerPair pair = new PeerPair();

    private void assertOneConnection() {
        pair.passUntil(
                () -> pair.low.open() == 1 && pair.high.open() == 1 && pair.low.link.isConnected(),
                () -> pair.dials.getFirst().connect());
        assertEquals(1, pair.low.open());
        assertEquals(1, pair.high.open());
        assertEquals(pair.low.carrier().other(), pair.high.carrier());
        pair.low.link.send(Pairing.note(41));
        pair.high.link.send(Pairing.note(42));
        pair.flow();
        assertEquals(List.of(Pairing.note(41)), pair.high.user.frames);
        assertEquals(List.of(Pairing.note(42)), pair.low.user.frames);
    }

    private void bothDial() {
        pair.low.link.connect();
        pair.high.link.connect();
        pair.timing.pass(MILLI);
        assertEquals(2, pair.dials.size());
    }

    @Test
    void shouldDialOnceWhenThereIsSomethingToSend() {
        assertEquals(0, pair.dials.size());
        pair.low.link.send(Pairing.note(1));
        pair.low.link.send(Pairing.note(2));
        assertEquals(1, pair.dials.size());
        pair.dial().connect();
        pair.flow();
        assertEquals(List.of(Pairing.note(1), Pairing.note(2)), pair.high.user.frames);
        assertEquals(0, pair.dials.size());
    }

    @Test
    void shouldLetTheLowerRankWinWhenBothDial() {
        bothDial();
        Runnable lowHears = pair.dials.getFirst().offer();
        Runnable highHears = pair.dials.getFirst().offer();
        lowHears.run();
        highHears.run();
        assertOneConnection();
        assertEquals(1, pair.low.link.connections());
    }

    @Test
    void shouldLetTheLowerRankWinWhicheverGreetingComesFirst() {
        bothDial();
        Runnable highHears = pair.dials.getLast().offer();
        Runnable lowHears = pair.dials.getFirst().offer();
        highHears.run();
        lowHears.run();
        assertOneConnection();
        assertEquals(1, pair.low.link.connections());
    }

    @Test
    void shouldRefuseTheHigherRankWhileTheLowerDials() {
        bothDial();
        Reject reject = pair.low.link.offered(pair.high.hello(1));
        assertEquals(RejectReason.BUSY, reject.reason());
    }

    @Test
    void shouldNotKeepTheHigherRankFromDialingForLong() {
        bothDial();
        pair.timing.pass(300 * MILLI);
        PeerPair.Dial stuck = pair.dials.getFirst();
        pair.dials.getLast().connect();
        pair.flow();
        assertTrue(pair.high.link.isConnected());
        stuck.fail(false);
        assertOneConnection();
    }

    @Test
    void shouldLeaveTheConnectionAloneWhenALateDialSucceeds() {
        bothDial();
        pair.timing.pass(300 * MILLI);
        PeerPair.Dial late = pair.dials.getFirst();
        pair.dials.getLast().connect();
        pair.flow();
        HandCarrier useless = new HandCarrier();
        useless.joinedTo(new HandCarrier());
        late.dialling.dialled(useless, pair.high.hello(1));
        assertTrue(useless.isClosed());
        pair.dials.clear();
        assertOneConnection();
    }

    @Test
    void shouldDialAgainWhenTheOtherConnectionEndsBeforeALateDialDoes() {
        bothDial();
        pair.timing.pass(300 * MILLI);
        PeerPair.Dial late = pair.dials.getFirst();
        pair.dials.getLast().connect();
        pair.flow();
        pair.low.ended(pair.low.carriers.removeFirst());
        HandCarrier useless = new HandCarrier();
        useless.joinedTo(new HandCarrier());
        pair.dials.clear();
        late.dialling.dialled(useless, pair.high.hello(1));
        pair.timing.pass(SECOND);
        assertEquals(1, pair.dials.size(), "or the link is never made again");
    }

    @Test
    void shouldRefuseTheLateGreetingOfAConnectionThatWas() {
        pair = PeerPair.connected();
        Reject reject = pair.low.link.offered(pair.high.hello(1));
        assertEquals(RejectReason.BUSY, reject.reason());
        assertEquals(1, reject.connection());
    }

    @Test
    void shouldReplaceAConnectionOfWhoseEndOnlyThePeerKnows() {
        pair = PeerPair.connected();
        HandCarrier old = pair.low.carriers.removeFirst();
        pair.high.ended(pair.high.carriers.removeFirst());
        pair.high.link.send(Pairing.note(5));
        pair.timing.pass(MILLI);
        pair.dial().connect();
        assertTrue(old.isClosed());
        pair.low.ended(old);
        pair.flow();
        assertEquals(List.of(Pairing.note(5)), pair.low.user.frames);
        assertEquals(1, pair.low.open());
        assertEquals(1, pair.high.open());
    }

    @Test
    void shouldUseTheLatestOfSeveralReplacements() {
        pair = PeerPair.connected();
        HandCarrier old = pair.low.carriers.removeFirst();
        for (long number = 2; number < 5; number++) {
            assertNull(pair.low.link.offered(pair.high.hello(number)));
            HandCarrier fresh = new HandCarrier();
            fresh.joinedTo(new HandCarrier());
            pair.low.carriers.add(fresh);
            pair.low.link.accepted(fresh, pair.high.hello(number));
        }
        pair.low.ended(old);
        assertEquals(
                1, pair.low.carriers.stream().filter(each -> !each.isClosed()).count());
        assertTrue(pair.low.carriers.getLast().isStarted());
    }

    @Test
    void shouldWaitForAPeerThatIsNotThereYet() {
        pair.low.link.send(Pairing.note(1));
        pair.pass(30 * SECOND, () -> pair.dial().fail(true));
        assertEquals(List.of(), pair.low.user.closes);
        pair.passUntil(() -> pair.low.link.isConnected(), () -> pair.dial().connect());
        pair.flow();
        assertEquals(List.of(Pairing.note(1)), pair.high.user.frames);
    }

    @Test
    void shouldGiveUpAPeerThatNeverComes() {
        pair.low.link.send(Pairing.note(1));
        pair.pass(POLICY.startNanos() - SECOND, () -> pair.dial().fail(false));
        assertEquals(List.of(), pair.low.user.closes);
        pair.pass(3 * SECOND, () -> pair.dial().fail(false));
        assertEquals(List.of("cannot be reached: no answer"), pair.low.user.closes);
        assertEquals("no answer", pair.low.link.trouble());
        pair.pass(3 * SECOND, () -> pair.dial().fail(false));
        assertEquals(0, pair.dials.size());
    }

    @Test
    void shouldLoseAPeerAtOnceWhoseProcessIsGone() {
        pair = PeerPair.connected();
        pair.low.ended(pair.low.carriers.removeFirst());
        pair.timing.pass(20 * MILLI);
        pair.dial().fail(true);
        assertEquals(List.of("its process is gone: connection refused"), pair.low.user.closes);
    }

    @Test
    void shouldLoseAPeerThatDoesNotAnswerAtTheDetectionBound() {
        pair = PeerPair.connected();
        pair.low.ended(pair.low.carriers.removeFirst());
        pair.pass(POLICY.detectNanos() - SECOND, () -> pair.dial().fail(false));
        assertEquals(List.of(), pair.low.user.closes);
        pair.pass(SECOND + 300 * MILLI, () -> pair.dial().fail(false));
        assertEquals(List.of("cannot be reached: no answer"), pair.low.user.closes);
    }

    @Test
    void shouldLoseAPeerAtTheDetectionBoundAlsoWhenADialHangs() {
        pair = PeerPair.connected();
        pair.low.ended(pair.low.carriers.removeFirst());
        pair.pass(POLICY.detectNanos() + 300 * MILLI, () -> {});
        assertEquals(1, pair.low.user.closes.size(), "however long a dial may take");
    }

    @Test
    void shouldGoOnWithTheNumbersOfWhoRejects() {
        pair.low.link.connect();
        pair.timing.pass(MILLI);
        pair.dial().reject(RejectReason.BUSY, 17);
        pair.timing.pass(SECOND);
        assertEquals(18, pair.dial().number);
    }

    @Test
    void shouldLoseAPeerThatAnswersADialAsAnotherProcess() {
        pair = PeerPair.connected();
        pair.low.ended(pair.low.carriers.removeFirst());
        pair.high.restart(999);
        pair.timing.pass(20 * MILLI);
        pair.dial().connect();
        assertEquals(List.of("it was restarted"), pair.low.user.closes);
        assertEquals(0, pair.low.open(), "and the connection to it is given up");
    }

    @Test
    void shouldSayTheCloseToAPeerThatItNeverTalkedTo() {
        pair.low.link.close("bye");
        pair.timing.pass(MILLI);
        pair.dial().connect();
        pair.flow();
        pair.timing.pass(10 * MILLI);
        pair.flow();
        assertEquals(List.of("bye"), pair.high.user.closes);
        assertTrue(pair.low.link.isFlushed());
    }

    @Test
    void shouldNotDialAPeerThatHasClosed() {
        pair = PeerPair.connected();
        pair.low.link.close("bye");
        pair.flow();
        pair.timing.pass(10 * MILLI);
        pair.flow();
        pair.high.ended(pair.high.carriers.removeFirst());
        pair.low.ended(pair.low.carriers.removeFirst());
        pair.high.link.send(Pairing.note(1));
        pair.high.link.close("me too");
        pair.low.link.close("again");
        pair.timing.pass(SECOND);
        assertEquals(0, pair.dials.size());
        assertTrue(pair.high.link.isFlushed());
    }

    @Test
    void shouldComeBackQuicklyHoweverOftenTheConnectionBroke() {
        pair = PeerPair.connected();
        for (int i = 0; i < 50; i++) {
            pair.low.link.send(Pairing.note(i));
            pair.pass(10 * MILLI, () -> {});
            pair.low.ended(pair.low.carriers.removeFirst());
            pair.high.ended(pair.high.carriers.removeFirst());
            pair.timing.pass(MILLI);
            assertEquals(2, pair.dials.size(), "both dial at once after break " + i);
            pair.dials.removeLast();
            pair.high.link.dialFailed(false, "lower rank wins");
            pair.dial().connect();
            pair.flow();
        }
    }
}

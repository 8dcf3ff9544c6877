package io.parex.protocol.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.protocol.Life;
import io.parex.protocol.Membership;
import io.parex.protocol.View;
import io.parex.protocol.wire.Hello;
import io.parex.protocol.wire.Reject;
import io.parex.protocol.wire.RejectReason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which process is taken for which rank, when several say that they are one. */
class LinksTest {
    private static final int SELF = 3;
    private static final int PEER = 8;

    private final ManualTiming timing = new ManualTiming();
    private final Membership view = new Membership(10);
    private final List<String> heard = new ArrayList<>();
    private final RecordingUser user = new RecordingUser();
    private final List<PeerLink> dials = new ArrayList<>();
    private final Links links = new Links(SELF, timing, view, new Owner(), this::dial, PeerPair.POLICY);

    /** A rank that does what the links rely on. */
    private final class Owner implements LinkOwner {
        @Override
        public LinkUser user(int peer) {
            return user;
        }

        @Override
        public void met(Life life) {
            heard.add("met " + life);
            view.learn(life);
            PeerLink link = links.link(life.rank());
            if (!link.isTo(life.nonce())) {
                link.lose("it was started again");
            }
        }

        @Override
        public void stale(long generation, String text) {
            heard.add("stale " + generation);
        }

        @Override
        public void replaced(String text) {
            heard.add("replaced");
        }

        @Override
        public void lost(String text) {
            heard.add("lost");
        }
    }

    LinksTest() {
        view.learn(new Life(SELF, 1, 33));
    }

    private void dial(PeerLink link, long connection) {
        dials.add(link);
    }

    private static Hello hello(long generation, long nonce, long connection) {
        return new Hello(0, 10, PEER, SELF, generation, nonce, connection, 0, "test", "", 0);
    }

    private HandCarrier accept(Hello hello) {
        assertNull(links.offered(hello));
        HandCarrier carrier = new HandCarrier();
        carrier.joinedTo(new HandCarrier());
        links.accepted(carrier, hello);
        return carrier;
    }

    private void assertRejected(RejectReason reason, long generation, Hello hello) {
        Reject reject = links.offered(hello);
        assertEquals(reason, reject.reason(), reject.text());
        assertEquals(generation, reject.generation());
    }

    @Test
    void shouldMeetAProcessThatGreetsFirst() {
        accept(hello(1, 100, 1));
        assertEquals(List.of("met " + new Life(PEER, 1, 100)), heard);
        assertTrue(links.link(PEER).isConnected());
    }

    @Test
    void shouldRefuseADuplicateWhileTheFirstAnswers() {
        accept(hello(1, 100, 1));
        PeerLink first = links.link(PEER);
        assertRejected(RejectReason.DUPLICATE_RANK, 1, hello(1, 200, 1));
        assertRejected(RejectReason.DUPLICATE_RANK, 1, hello(2, 200, 1));
        assertSame(first, links.link(PEER));
        assertTrue(first.isConnected(), "the first is not disturbed");
    }

    @Test
    void shouldAskASuccessorForALaterGeneration() {
        HandCarrier old = accept(hello(1, 100, 1));
        links.link(PEER).detached(old, "connection reset");
        assertRejected(RejectReason.STALE, 1, hello(1, 200, 1));
        assertEquals(List.of(), user.closes, "it may come back");
    }

    @Test
    void shouldTakeASuccessorWhenTheFirstDoesNotAnswer() {
        HandCarrier old = accept(hello(1, 100, 5));
        PeerLink first = links.link(PEER);
        first.detached(old, "connection reset");
        accept(hello(2, 200, 1));
        assertEquals(List.of("it was started again"), user.closes);
        assertNotSame(first, links.link(PEER));
        assertTrue(links.link(PEER).isConnected());
        assertRejected(RejectReason.DUPLICATE_RANK, 2, hello(1, 100, 6));
    }

    @Test
    void shouldTellAProcessThatWasReplacedThatItIsStale() {
        HandCarrier old = accept(hello(1, 100, 5));
        links.link(PEER).detached(old, "connection reset");
        HandCarrier later = accept(hello(2, 200, 1));
        links.link(PEER).detached(later, "connection reset");
        assertRejected(RejectReason.STALE, 2, hello(1, 100, 6));
    }

    @Test
    void shouldRefuseAProcessThatWasLostAsLost() {
        HandCarrier old = accept(hello(1, 100, 1));
        links.link(PEER).detached(old, "connection reset");
        view.lose(new Life(PEER, 1, 100));
        assertRejected(RejectReason.LOST, 1, hello(1, 100, 2));
    }

    @Test
    void shouldResumeWithAProcessThatHasTakenALaterGeneration() {
        HandCarrier old = accept(hello(1, 100, 1));
        PeerLink link = links.link(PEER);
        link.detached(old, "connection reset");
        timing.pass(PeerPair.SECOND);
        accept(hello(2, 100, 2));
        assertSame(link, links.link(PEER));
        assertEquals(2, view.life(PEER).generation());
    }

    @Test
    void shouldHearThatItIsStaleUnlessItHasTakenALaterGenerationSince() {
        PeerLink link = links.link(PEER);
        link.connect();
        links.rejected(link, new Reject(RejectReason.STALE, 0, 1, View.NONE, "there was another"));
        view.learn(new Life(SELF, 2, 33));
        links.rejected(link, new Reject(RejectReason.STALE, 0, 1, View.NONE, "there was another"));
        links.rejected(link, new Reject(RejectReason.DUPLICATE_RANK, 0, 4, View.NONE, "another answers"));
        assertEquals(List.of("stale 1", "replaced"), heard);
        assertEquals(List.of(), user.closes);
    }

    /** Who knows of neither must not take it for the rank. */
    @Test
    void shouldGreetOnlyThoseWhoRefuseItAsADuplicate() {
        PeerLink refuser = links.link(2);
        PeerLink other = links.link(PEER);
        refuser.connect();
        timing.run();
        links.rejected(refuser, new Reject(RejectReason.DUPLICATE_RANK, 0, 1, View.NONE, "another answers"));
        other.connect();
        timing.pass(2 * PeerPair.SECOND);
        assertEquals(List.of(refuser, refuser), dials);
        assertTrue(other.trouble().contains("ranks [2] know another process as rank 3"), other::trouble);
        assertRejected(RejectReason.NOT_READY, 0, hello(1, 100, 1));
        assertEquals(List.of(), heard);

        // It is refused no more, and asks as before.
        links.rejected(refuser, new Reject(RejectReason.BUSY, "later"));
        timing.pass(2 * PeerPair.SECOND);
        assertEquals(
                List.of(other, refuser),
                dials.subList(2, 4).stream()
                        .sorted((a, b) -> b.peer() - a.peer())
                        .toList());
        accept(hello(1, 100, 1));
    }

    @Test
    void shouldNotCareForeverThatItWasRefusedAsADuplicate() {
        PeerLink refuser = links.link(2);
        refuser.connect();
        timing.run();
        links.rejected(refuser, new Reject(RejectReason.DUPLICATE_RANK, 0, 1, View.NONE, "another answers"));
        timing.pass(3 * PeerPair.SECOND);
        accept(hello(1, 100, 1));
    }

    @Test
    void shouldNotHoldBackAProcessThatWasTaken() {
        accept(hello(1, 100, 1));
        PeerLink refuser = links.link(2);
        refuser.connect();
        timing.run();
        links.rejected(refuser, new Reject(RejectReason.DUPLICATE_RANK, 0, 1, View.NONE, "another answers"));
        links.link(5).connect();
        timing.run();
        assertEquals(List.of(refuser, links.link(5)), dials);
    }

    @Test
    void shouldLookForALostPeerUntilAnotherStartOfItIsKnown() {
        view.lose(new Life(PEER, 1, 100));
        links.probe(PEER);
        links.probe(PEER);
        timing.run();
        assertEquals(1, dials.size());
        PeerLink probe = dials.getFirst();
        probe.dialFailed(true, "nobody listens");
        timing.pass(2 * PeerPair.SECOND);
        assertEquals(2, dials.size(), "for as long as it takes");
        String beginner = links.answered(probe, hello(1, 200, 1));
        assertTrue(beginner.contains("generation 1 answers"), beginner);
        probe.dialFailed(false, beginner);
        timing.pass(2 * PeerPair.SECOND);
        assertEquals(3, dials.size());
        probe.dialFailed(false, links.answered(probe, hello(2, 200, 1)));
        assertEquals(List.of("met " + new Life(PEER, 2, 200)), heard);
        timing.pass(10 * PeerPair.SECOND);
        assertEquals(3, dials.size(), "found");
        assertNotSame(probe, links.link(PEER));
    }

    @Test
    void shouldHearThatItIsLost() {
        PeerLink link = links.link(PEER);
        link.connect();
        links.rejected(link, new Reject(RejectReason.LOST, 0, 1, View.NONE, "gone"));
        assertEquals(List.of("lost"), heard);
        assertEquals(List.of("gone"), user.closes, "nor is there anything to try for");
    }

    /** Both have lost each other: who sees the larger part of the world goes on. */
    @Test
    void shouldGiveWayToAPeerThatItHasLostOnlyIfThatOutweighsIt() {
        view.learn(new Life(0, 1, 1));
        view.learn(new Life(1, 3, 1));
        view.lose(new Life(PEER, 1, 100));
        links.probe(PEER);
        timing.run();
        PeerLink probe = dials.getFirst();
        links.rejected(probe, new Reject(RejectReason.LOST, 0, 1, new View(2, 90, 0), "gone"));
        links.rejected(probe, new Reject(RejectReason.LOST, 0, 1, new View(3, 5, 0), "gone"));
        links.rejected(probe, new Reject(RejectReason.LOST, 0, 1, view.view(), "gone"));
        assertEquals(List.of(), heard);
        links.rejected(probe, new Reject(RejectReason.LOST, 0, 1, new View(3, 6, Long.MAX_VALUE), "gone"));
        assertEquals(List.of("lost"), heard);
        links.rejected(probe, new Reject(RejectReason.LOST, 0, 1, new View(4, 4, 0), "gone"));
        view.lose(new Life(0, 1, 1));
        links.rejected(probe, new Reject(RejectReason.LOST, 0, 1, view.view(), "gone"));
        assertEquals(3, heard.size());
        dials.clear();
        timing.pass(2 * PeerPair.SECOND);
        assertTrue(dials.contains(probe), "and looks on for another");
    }

    /** The answer to a greeting that a peer has read after it was stopped for long, and lost meanwhile. */
    @Test
    void shouldNotGiveWayToALateAnswerEither() {
        view.learn(new Life(0, 1, 1));
        PeerLink link = links.link(PEER);
        link.connect();
        timing.run();
        view.lose(new Life(PEER, 1, 100));
        link.lose("silent");
        links.rejected(link, new Reject(RejectReason.LOST, 0, 1, view.view(), "gone"));
        assertEquals(List.of(), heard);
        links.rejected(link, new Reject(RejectReason.LOST, 0, 1, new View(9, 90, 0), "gone"));
        assertEquals(List.of("lost"), heard);
    }

    @Test
    void shouldLoseAProcessInWhosePlaceALaterOneAnswers() {
        HandCarrier old = accept(hello(1, 100, 1));
        PeerLink link = links.link(PEER);
        link.detached(old, "connection reset");
        assertNull(links.answered(link, hello(2, 200, 2)));
        assertEquals(List.of("it was started again"), user.closes);
        assertEquals(2, view.life(PEER).generation());
    }

    @Test
    void shouldNotTakeAFormerProcessForTheOneThatIsKnown() {
        view.learn(new Life(PEER, 4, 400));
        PeerLink link = links.link(PEER);
        assertTrue(links.answered(link, hello(2, 200, 1)).contains("generation 2, known is generation 4"));
        assertTrue(links.answered(link, hello(4, 200, 1)).contains("another process"), "it may not know yet");
        assertNull(links.answered(link, hello(4, 400, 1)));
        assertEquals(List.of(), user.closes);
    }
}

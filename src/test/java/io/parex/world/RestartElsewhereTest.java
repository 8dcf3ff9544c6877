package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks that are started again in another place than where the others look for them, such as on another port than in
 * their list of peers: they are where they say, whatever answers or does not answer in the old place.
 */
class RestartElsewhereTest extends RestartFixture {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldResumeWithARankWhereItIsNow(long seed) {
        start(4, seed);
        assertSums();
        crash(0);
        World successor = startElsewhere(0);
        until(() -> successor.state() == WorldState.READY, LONG);
        assertEquals(5, recover().epoch());
        assertResumes(0);
    }

    /** It is gone when nothing listens where it said that it is, and where it is looked for. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldLoseARankThatWasElsewhere(long seed) {
        start(4, seed);
        crash(2);
        World successor = startElsewhere(2);
        until(() -> successor.state() == WorldState.READY, LONG);
        recover();
        assertSums();
        crash(2);
        Work waiting = sum(0, Tensors.ints(1));
        String text = failure(waiting, Duration.ofSeconds(6)).getMessage();
        assertTrue(text.contains("rank 2 is lost"), text);
        World third = startElsewhere(2);
        until(() -> third.state() == WorldState.READY, LONG);
        assertEquals(6, recover().epoch());
        assertSums();
    }

    /** The process before is back in the old place after it was replaced, and knows of nothing. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldNotBelieveAProcessThatWasReplaced(long seed) {
        start(4, seed);
        World first = worlds.get(3);
        for (int peer = 0; peer < 3; peer++) {
            simulation.faults().stall(3, peer, Duration.ofSeconds(30).toNanos());
            simulation.faults().stall(peer, 3, Duration.ofSeconds(30).toNanos());
        }
        simulation.run(Duration.ofSeconds(10).toNanos());
        World second = startElsewhere(3);
        until(() -> second.state() == WorldState.READY, LONG);
        recover();
        assertSums();
        until(() -> first.state() == WorldState.LOST, LONG);
        assertResumes(3);
        assertResumes(0);
        first.leave();
        until(() -> first.state() == WorldState.CLOSED, LONG);
    }

    /** Two that have never spoken, of which neither is where the other looks for it. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldLearnFromOthersWhereRanksAre(long seed) {
        start(6, seed);
        crash(1);
        crash(4);
        World one = startElsewhere(1);
        World four = startElsewhere(4);
        until(() -> one.state() == WorldState.READY && four.state() == WorldState.READY, LONG);
        recover();
        Work sent = group(1).isend(Tensors.ints(7), 4, 0, CallOptions.DEFAULT);
        Work received = group(4).irecv(Tensors.ints(0), 1, 0, CallOptions.DEFAULT);
        until(() -> sent.isDone() && received.isDone(), LONG);
        sent.await();
        received.await();
        assertResumes(4);
    }
}

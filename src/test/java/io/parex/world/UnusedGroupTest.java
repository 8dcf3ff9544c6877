package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that are started again before anybody has called anything: nothing is lost, so nobody need recover. */
class UnusedGroupTest extends RestartFixture {

    private void assertInUse(int epoch) {
        until(
                () -> worlds.stream()
                        .allMatch(world -> world.state() == WorldState.READY
                                && world.group().epoch() == epoch
                                && world.group().outdated().isEmpty()),
                LONG);
        assertEquals(
                1,
                worlds.stream().map(world -> world.group().round()).distinct().count());
        assertSums();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 9})
    void shouldGoOnWithoutARecovery(int size) {
        start(size, size);
        List<ProcessGroup> before =
                worlds.stream().map(world -> world.group().present()).toList();
        restart(size / 2);
        assertInUse(size + 1);
        assertTrue(before.getFirst().isOver());
        assertTrue(group(0).isEpoch(size), "callers who were told of the epoch before need not know of this one");
        assertTrue(group(0).isEpoch(size + 1));
        assertFalse(group(0).isEpoch(size - 1));
        assertTrue(group(0).isRound(0));
        assertFalse(group(0).isRound(group(0).round() + 1));
    }

    /** Ranks that have not joined yet, and others that have, at whatever moment. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldGoOnWhenRanksAreStartedAgainWhileTheWorldBegins(long seed) {
        begin(6, seed);
        int restarts = 0;
        for (; restarts < 4; restarts++) {
            simulation.run(simulation.random().nextLong(restarts % 2 == 0 ? 20_000_000L : 9_000_000_000L));
            int rank = simulation.random().nextInt(6);
            crash(rank);
            startAnother(rank);
        }
        until(() -> worlds.stream().allMatch(world -> world.state() == WorldState.READY), LONG);
        assertInUse(Math.toIntExact(group(0).epoch()));
    }

    @Test
    void shouldWaitForARecoveryWhenASingleMemberHasCalled() {
        start(4, 3);
        Work sent = group(3).isend(Tensors.ints(5), 0, 1, CallOptions.DEFAULT);
        until(sent::isDone, LONG);
        restart(1);
        for (int rank = 0; rank < 4; rank++) {
            ProcessGroup group = group(rank);
            until(() -> group.epoch() == 5 && group.outdated().isPresent(), LONG);
        }
        simulation.run(Duration.ofSeconds(30).toNanos());
        for (int rank = 0; rank < 4; rank++) {
            assertEquals(
                    ErrorKind.ABORTED,
                    failure(group(rank).barrier(CallOptions.DEFAULT), LONG).kind());
        }
        assertEquals(5, recover().epoch());
        assertSums();
    }

    /** Its caller counts from the recovery: that the others have called nothing since does not matter. */
    @Test
    void shouldWaitForARecoveryAfterOne() {
        start(3, 4);
        recover();
        restart(2);
        simulation.run(Duration.ofSeconds(30).toNanos());
        for (int rank = 0; rank < 3; rank++) {
            assertTrue(group(rank).outdated().isPresent(), "rank " + rank);
        }
        recover();
        assertFalse(group(0).isEpoch(3));
        assertFalse(group(0).isRound(0));
        assertSums();
    }

    @Test
    void shouldNotRecoverWithMembersThatHaveNotCalledForIt() {
        start(3, 5);
        CompletableFuture<Recovered> recovery = RecoveryTest.recover(group(0), LONG.dividedBy(2));
        simulation.run(Duration.ofSeconds(20).toNanos());
        assertFalse(recovery.isDone());
        assertTrue(group(1).outdated().isPresent());
        until(recovery::isDone, LONG);
        assertTrue(
                RecoveryTest.failure(recovery).getMessage().contains("missing=[1, 2]"),
                "those that have called nothing are waited for");
        restart(1);
        assertEquals(
                Optional.empty(),
                worlds.stream()
                        .filter(world -> world.group().outdated().isEmpty())
                        .findAny());
        recover();
        assertSums();
    }

    /** It waits for no word of a rank that is lost, and goes on with it when that is back. */
    @Test
    void shouldBeReadyWhileAnotherRankIsLost() {
        start(4, 6);
        crash(3);
        simulation.run(Duration.ofSeconds(20).toNanos());
        restart(1);
        assertTrue(group(1).outdated().isPresent());
        startAnother(3);
        assertInUse(6);
    }
}

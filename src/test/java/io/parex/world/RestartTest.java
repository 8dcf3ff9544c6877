package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that are started again, and processes that take themselves for the same rank; in virtual time. */
class RestartTest extends RestartFixture {
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 9})
    void shouldTakeARankThatWasStartedAgain(int size) {
        start(size, size);
        assertSums();
        assertEquals(size, group(0).epoch());
        int victim = size / 2;
        Work waiting = sum(0, Tensors.ints(1));
        restart(victim);
        assertEquals(ErrorKind.PEER_FAILED, failure(waiting, LONG).kind());
        until(() -> worlds.stream().allMatch(world -> world.group().epoch() == size + 1), LONG);
        for (int rank = 0; rank < size; rank++) {
            ParexException refusal = failure(sum(rank, Tensors.ints(1)), Duration.ofSeconds(1));
            assertEquals(ErrorKind.ABORTED, refusal.kind());
            assertTrue(refusal.getMessage().contains("call recover on every member"), refusal.getMessage());
        }
        Recovered recovered = recover();
        assertEquals(size + 1, recovered.epoch());
        assertFalse(recovered.isLevel());
        assertEquals(-1, recovered.members().get(victim).lastCall());
        assertEquals(2, recovered.members().get(victim).generation());
        assertEquals(0, recovered.members().get((victim + 1) % size).lastCall());
        assertSums();
        assertSums();
    }

    @Test
    void shouldTakeARankThatIsStartedAgainAndAgain() {
        start(4, 7);
        for (int round = 1; round <= 5; round++) {
            restart(round % 4);
            assertEquals(4 + round, recover().epoch());
            assertSums();
        }
    }

    /** The ring of ranks is in pieces until they are back. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldTakeSeveralNeighboursThatAreStartedAgain(long seed) {
        start(9, seed);
        assertSums();
        List.of(2, 3, 4, 7).forEach(this::crash);
        simulation.run(simulation.random().nextLong(8_000_000_000L));
        List.of(3, 7, 2, 4).forEach(this::startAnother);
        until(() -> worlds.stream().allMatch(world -> world.state() == WorldState.READY), LONG);
        assertEquals(13, recover().epoch());
        assertSums();
    }

    @Test
    void shouldTakeARankThatHasLeftInGoodOrderAndIsStartedAgain() {
        start(3, 4);
        assertSums();
        World leaver = worlds.get(1);
        leaver.leave();
        until(() -> leaver.state() == WorldState.CLOSED, LONG);
        simulation.run(Duration.ofSeconds(1).toNanos());
        assertEquals(ErrorKind.LEFT, failure(sum(0, Tensors.ints(1)), LONG).kind());
        restart(1);
        assertEquals(4, recover().epoch());
        assertSums();
    }

    @Test
    void shouldWaitInARecoveryForARankThatIsBeingStarted() {
        start(4, 5);
        assertSums();
        crash(2);
        List<CompletableFuture<Recovered>> recoveries = new ArrayList<>();
        List.of(0, 1, 3).forEach(rank -> recoveries.add(RecoveryTest.recover(group(rank), LONG)));
        simulation.run(Duration.ofSeconds(15).toNanos());
        assertTrue(recoveries.stream().noneMatch(CompletableFuture::isDone));
        World successor = startAnother(2);
        until(() -> successor.state() == WorldState.READY, LONG);
        recoveries.add(RecoveryTest.recover(group(2), LONG));
        until(() -> recoveries.stream().allMatch(CompletableFuture::isDone), LONG);
        assertEquals(
                1, recoveries.stream().map(CompletableFuture::join).distinct().count());
        assertSums();
    }

    @Test
    void shouldSayInARecoveryThatARankIsLost() {
        start(3, 6);
        crash(2);
        CompletableFuture<Recovered> recovery = RecoveryTest.recover(group(0), Duration.ofSeconds(20));
        until(recovery::isDone, LONG);
        String text = RecoveryTest.failure(recovery).getMessage();
        assertTrue(text.contains("missing=[1, 2] have not called recover (rank 2 is lost and not started"), text);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldRefuseASecondProcessOfARankUntilTheFirstIsGone(long seed) {
        start(4, seed);
        World first = worlds.get(1);
        World second = startAnother(1);
        simulation.run(Duration.ofSeconds(20).toNanos());
        assertEquals(WorldState.STARTING, second.state());
        assertEquals(WorldState.READY, first.state());
        assertEquals(4, group(0).epoch(), "nobody is disturbed");
        first.leave();
        until(() -> second.state() == WorldState.READY, LONG);
        assertEquals(5, recover().epoch());
        assertSums();
    }

    /** Who starts again while a duplicate waits knows of neither, and takes the first that greets. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldNotLetADuplicateInByARankThatIsStartedAgain(long seed) {
        start(4, seed);
        World first = worlds.get(1);
        World second = startAnother(1);
        simulation.run(Duration.ofSeconds(5).toNanos());
        worlds.set(1, first);
        restart(2);
        assertEquals(5, recover().epoch());
        assertSums();
        assertEquals(WorldState.READY, first.state());
        assertEquals(WorldState.STARTING, second.state());
        second.leave();
    }

    /** Cut off for longer than it takes to lose it, it must not go on when it comes back. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldTellAProcessThatWasReplaced(long seed) {
        start(4, seed);
        World first = worlds.get(2);
        for (int peer : new int[] {0, 1, 3}) {
            simulation.faults().stall(2, peer, Duration.ofSeconds(30).toNanos());
            simulation.faults().stall(peer, 2, Duration.ofSeconds(30).toNanos());
        }
        simulation.run(Duration.ofSeconds(10).toNanos());
        World second = startAnother(2);
        until(() -> second.state() == WorldState.READY, LONG);
        until(() -> first.state() == WorldState.LOST, LONG);
        assertEquals(5, recover().epoch());
        assertSums();
        ParexException refusal =
                assertThrows(ParexException.class, () -> first.group().barrier(CallOptions.DEFAULT));
        assertEquals(ErrorKind.UNAVAILABLE, refusal.kind());
        assertTrue(refusal.getMessage().startsWith("rank 2 of world parex is lost, "), refusal.getMessage());
        first.leave();
        until(() -> first.state() == WorldState.CLOSED, LONG);
    }

    /** Cut off from all others, and not replaced meanwhile: it is the one that must go. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldLoseTheProcessThatWasCutOffAndNobodyElse(long seed) {
        start(4, seed);
        assertSums();
        World first = worlds.get(2);
        for (int peer : new int[] {0, 1, 3}) {
            simulation.faults().stall(2, peer, Duration.ofSeconds(12).toNanos());
            simulation.faults().stall(peer, 2, Duration.ofSeconds(12).toNanos());
        }
        simulation.run(Duration.ofSeconds(40).toNanos());
        assertEquals(
                List.of(WorldState.READY, WorldState.READY, WorldState.LOST, WorldState.READY),
                worlds.stream().map(World::state).toList());
        World second = startAnother(2);
        until(() -> second.state() == WorldState.READY, LONG);
        assertEquals(5, recover().epoch());
        assertSums();
        first.leave();
        until(() -> first.state() == WorldState.CLOSED, LONG);
    }
}

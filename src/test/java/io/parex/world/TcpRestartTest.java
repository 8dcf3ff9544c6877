package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.transport.tcp.LoopbackFabrics;
import io.parex.transport.tcp.TcpFabric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that are killed and started again elsewhere, and processes that take themselves for one rank; real sockets. */
@Timeout(120)
class TcpRestartTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final WorldOptions OPTIONS = WorldOptions.DEFAULT
            .withCallTimeout(LONG)
            .withStartTimeout(Duration.ofSeconds(90))
            .withWarnAfter(Duration.ofSeconds(1))
            .withCopyPoolBytes(64 << 20);

    /** Far more than the sockets hold. */
    private static final int LARGE = 8 << 20;

    private LoopbackFabrics fabrics;
    private final List<LocalWorld> parts = new ArrayList<>();
    private final List<World> worlds = new ArrayList<>();

    private void start(int size) {
        fabrics = new LoopbackFabrics(size, OPTIONS.copyPoolBytes());
        for (int rank = 0; rank < size; rank++) {
            parts.add(null);
            worlds.add(null);
            join(rank, fabrics.fabric(rank), size);
        }
        worlds.forEach(TcpRestartTest::awaitJoined);
    }

    private World join(int rank, TcpFabric fabric, int size) {
        LocalWorld part = LocalWorld.join(fabric, List.of(rank), size, OPTIONS);
        parts.set(rank, part);
        worlds.set(rank, part.rank(rank));
        return worlds.get(rank);
    }

    private static void awaitJoined(World world) {
        world.joined().await().atMost(LONG);
    }

    @AfterEach
    void close() {
        // Together: a rank that closes says so to all others.
        worlds.forEach(World::leave);
        parts.forEach(LocalWorld::close);
        for (World world : worlds) {
            assertEquals(0, world.inFlight(), "operations in flight on rank " + world.rank());
            assertEquals(0, world.scratchBytes(), "scratch held by rank " + world.rank());
        }
    }

    /** On another port than before, which the others are told of. */
    private void restart(int victim) {
        TcpFabric successor = fabrics.startAnother(victim);
        assertFalse(successor.port() == fabrics.fabric(victim).port());
        fabrics.moveTo(victim, successor);
        awaitJoined(join(victim, successor, worlds.size()));
    }

    private List<World> others(int victim) {
        return worlds.stream().filter(world -> world.rank() != victim).toList();
    }

    private Recovered recover() {
        List<CompletableFuture<Recovered>> recoveries = worlds.stream()
                .map(world -> RecoveryTest.recover(world.group(), LONG))
                .toList();
        List<Recovered> results =
                recoveries.stream().map(CompletableFuture::join).distinct().toList();
        assertEquals(1, results.size(), "all members hear the same: " + results);
        return results.getFirst();
    }

    private Work sum(int rank, TensorView tensor) {
        return worlds.get(rank).group().allReduce(tensor, tensor, ReduceOp.SUM, CallOptions.DEFAULT);
    }

    private void assertSums() {
        int n = worlds.size();
        List<TensorView> tensors = IntStream.range(0, n)
                .mapToObj(rank -> Tensors.filled(DataType.INT32, 300_000, i -> i + rank))
                .toList();
        List<Work> works = IntStream.range(0, n)
                .mapToObj(rank -> sum(rank, tensors.get(rank)))
                .toList();
        works.forEach(Work::await);
        TensorView expected = Tensors.filled(DataType.INT32, 300_000, i -> n * (double) i + n * (n - 1) / 2.0);
        tensors.forEach(tensor -> Tensors.assertSame(expected, tensor, "sum"));
    }

    private static ParexException failure(Work work) {
        return assertThrows(ParexException.class, work::await);
    }

    private void awaitEpoch(long epoch) {
        Awaitility.await()
                .atMost(LONG)
                .until(() -> worlds.stream().allMatch(world -> world.group().epoch() == epoch));
    }

    /** C81 and C85: in the middle of a transfer. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void shouldGoOnWithARankThatWasKilledAndStartedElsewhere(int size) {
        start(size);
        assertSums();
        int victim = size / 2;
        List<Work> works = IntStream.range(0, size)
                .mapToObj(rank -> sum(rank, Tensors.filled(DataType.INT32, LARGE, i -> 1)))
                .toList();
        World killed = worlds.get(victim);
        fabrics.killOnce(victim, () -> received(killed) > Integer.BYTES * 600_000L);
        for (World other : others(victim)) {
            ParexException failure = failure(works.get(other.rank()));
            assertEquals(ErrorKind.PEER_FAILED, failure.kind(), failure.getMessage());
            assertTrue(failure.getMessage().contains("rank " + victim + " is lost"), failure.getMessage());
        }

        restart(victim);
        awaitEpoch(size + 1);
        assertTrue(others(victim).stream().allMatch(world -> world.state() == WorldState.READY));
        for (int rank = 0; rank < size; rank++) {
            ParexException refusal = failure(sum(rank, Tensors.ints(1)));
            assertEquals(ErrorKind.ABORTED, refusal.kind(), refusal.getMessage());
            assertTrue(refusal.getMessage().contains("call recover on every member"), refusal.getMessage());
        }
        Recovered recovered = recover();
        assertEquals(size + 1, recovered.epoch());
        assertEquals(2, recovered.members().get(victim).generation());
        assertEquals(-1, recovered.members().get(victim).lastCall());
        assertSums();
        assertSums();
    }

    private static long received(World world) {
        return world.peers().stream().mapToLong(PeerStats::bytesIn).sum();
    }

    @Test
    void shouldTakeARankThatIsKilledAgainAndAgain() {
        start(3);
        for (int round = 1; round <= 5; round++) {
            fabrics.kill(1);
            restart(1);
            awaitEpoch(3 + round);
            assertEquals(1 + round, recover().members().get(1).generation());
            assertSums();
        }
    }

    /**
     * It says where it is: connections that break are made anew, although nothing listens where the others were told to
     * look for it.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void shouldResumeWithARankThatListensElsewhereThanItIsLookedFor(int size) {
        start(size);
        fabrics.kill(0);
        TcpFabric successor = fabrics.startAnother(0);
        successor.advertise("127.0.0.1:" + successor.port());
        awaitJoined(join(0, successor, size));
        awaitEpoch(size + 1);
        for (int round = 0; round < 5; round++) {
            assertSums();
            long resumed = resumed();
            LoopbackFabrics.breakConnections(round % 2 == 0 ? successor : fabrics.fabric(1), round % 2 == 0 ? 0 : 1);
            assertSums();
            assertTrue(resumed() > resumed, "a connection was broken and made anew");
        }
        assertTrue(worlds.stream().allMatch(world -> world.state() == WorldState.READY));
    }

    /** Two ranks that have not spoken yet, and of which neither finds the other: a call says why it waits. */
    @Test
    void shouldSayWhyThereIsNoConnection() {
        start(4);
        TcpFabric gone = fabrics.startAnother(0);
        gone.close();
        TcpFabric zero = fabrics.fabric(0);
        TcpFabric two = fabrics.fabric(2);
        fabrics.moveTo(0, gone);
        fabrics.moveTo(2, gone);
        CallOptions options =
                CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(2)).withAlgorithm("recursive_doubling");
        List<Work> works = worlds.stream()
                .map(world -> {
                    TensorView tensor = Tensors.ints(1);
                    return world.group().allReduce(tensor, tensor, ReduceOp.SUM, options);
                })
                .toList();
        String text = failure(works.get(0)).getMessage();
        assertTrue(
                text.contains("rank 2: has not answered, no connection: rank 2: nothing listens at 127.0.0.1:"), text);
        failure(works.get(2));
        fabrics.moveTo(0, zero);
        fabrics.moveTo(2, two);
        // Ranks 1 and 3 had completed the call; their next one tells them of its failure.
        List.of(1, 3).forEach(rank -> failure(sum(rank, Tensors.ints(1))));
        assertSums();
    }

    /** The loss of a rank, and its return, are there to be seen on all others. */
    @Test
    void shouldTellWhichRanksAreLost() {
        start(3);
        fabrics.kill(1);
        Awaitility.await()
                .atMost(LONG)
                .until(() ->
                        others(1).stream().allMatch(world -> world.lostRanks().equals(List.of(1))));
        restart(1);
        Awaitility.await()
                .atMost(LONG)
                .until(() -> worlds.stream().allMatch(world -> world.lostRanks().isEmpty()));
    }

    private long resumed() {
        return worlds.stream().mapToLong(World::resumedConnections).sum();
    }

    /** C88: a process of a rank that lives elsewhere waits, and the job goes on. */
    @Test
    void shouldRefuseASecondProcessOfARankThatLives() {
        start(4);
        World first = worlds.get(1);
        long refusedBefore = refused(others(1));
        TcpFabric duplicate = fabrics.startAnother(1);
        World second = join(1, duplicate, 4);
        Awaitility.await()
                .atMost(Duration.ofSeconds(5))
                .until(() -> Stream.of(0, 2)
                        .allMatch(peer -> duplicate.network(1).trouble(peer).contains("another process is rank 1")));
        assertTrue(
                duplicate
                        .network(1)
                        .trouble(0)
                        .matches(".*another process is rank 1 and answers \\(generation 1\\) at 127\\.0\\.0\\.1:\\d+"),
                duplicate.network(1).trouble(0));
        Awaitility.await().atMost(LONG).until(() -> refused(others(1)) >= refusedBefore + 4);
        worlds.set(1, first);
        for (int round = 0; round < 10; round++) {
            assertSums();
        }
        assertEquals(WorldState.STARTING, second.state());
        assertEquals(List.of(0, 2, 3), second.missing());
        assertTrue(worlds.stream().allMatch(world -> world.state() == WorldState.READY));
        assertTrue(worlds.stream().allMatch(world -> world.group().epoch() == 4));
        assertEquals(0, first.refusedConnections(), "nobody looks for rank 1 elsewhere");

        // It is in the first one's place as soon as that is gone.
        fabrics.kill(1);
        fabrics.moveTo(1, duplicate);
        worlds.set(1, second);
        awaitJoined(second);
        assertEquals(5, recover().epoch());
        assertSums();
    }

    private static long refused(List<World> worlds) {
        return worlds.stream().mapToLong(World::refusedConnections).sum();
    }
}

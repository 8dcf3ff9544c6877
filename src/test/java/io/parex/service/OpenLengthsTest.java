package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.client.ClientOptions;
import io.parex.client.ClientWork;
import io.parex.client.Completion;
import io.parex.client.ParexClient;
import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks whose lengths the receivers do not know, by the Java client, on three ranks. */
class OpenLengthsTest {
    private static final ClientOptions CALL = ClientOptions.DEFAULT;
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int SIZE = 3;

    private static EdgeServer server;
    private static List<ParexClient> clients;

    @BeforeAll
    static void start() {
        server = EdgeServer.of(SIZE);
        clients = IntStream.range(0, SIZE).mapToObj(server::client).toList();
    }

    @AfterAll
    static void stop() {
        clients.forEach(ParexClient::close);
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> server.edge().inFlight().count() == 0
                        && server.edge().staging().usedBytes() == 0);
        server.close();
    }

    private static List<ClientWork> onAll(IntFunction<ClientWork> call) {
        return IntStream.range(0, SIZE).mapToObj(call).toList();
    }

    private static Completion end(ClientWork work) {
        return work.await().atMost(LIMIT);
    }

    /** Blocks of {@code 2 x scale}, none and {@code 5 x scale} elements. */
    private static long[] uneven(int scale) {
        return new long[] {2L * scale, 0, 5L * scale};
    }

    private static List<Long> list(long... lengths) {
        return LongStream.of(lengths).boxed().toList();
    }

    private static TensorView counted(long from, long count) {
        return Tensors.ints(count, i -> from + i);
    }

    private static List<TensorView> rooms(long count) {
        return IntStream.range(0, SIZE)
                .mapToObj(rank -> Tensors.ints(count, i -> -1))
                .toList();
    }

    /** What came lies at the begin, and what was there behind it is there still. */
    private static void assertCame(TensorView came, TensorView room) {
        Tensors.assertSame(came, room.slice(0, came.count()));
        long rest = room.count() - came.count();
        Tensors.assertSame(Tensors.ints(rest, i -> -1), room.slice(came.count(), rest));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100_000})
    void shouldScatterAndGatherWhatOnlyTheGiverKnows(int scale) {
        long[] lengths = uneven(scale);
        TensorView whole = counted(7000, 7L * scale);
        for (int root = 0; root < SIZE; root++) {
            int at = root;
            List<TensorView> rooms = rooms(5L * scale + 3);
            List<Completion> scattered = onAll(rank -> clients.get(rank)
                            .scatterVOpen(
                                    rank == at ? whole : null, rooms.get(rank), rank == at ? lengths : null, at, CALL))
                    .stream()
                    .map(OpenLengthsTest::end)
                    .toList();
            long before = 0;
            for (int rank = 0; rank < SIZE; rank++) {
                assertEquals(list(lengths[rank]), scattered.get(rank).lengths());
                assertEquals(lengths[rank], scattered.get(rank).count());
                assertCame(whole.slice(before, lengths[rank]), rooms.get(rank));
                before += lengths[rank];
            }
            TensorView all = rooms(7L * scale + 1).getFirst();
            List<Completion> gathered = onAll(rank -> clients.get(rank)
                            .gatherVOpen(rooms.get(rank).slice(0, lengths[rank]), rank == at ? all : null, at, CALL))
                    .stream()
                    .map(OpenLengthsTest::end)
                    .toList();
            assertCame(whole, all);
            for (int rank = 0; rank < SIZE; rank++) {
                assertEquals(
                        rank == at ? list(lengths) : List.of(),
                        gathered.get(rank).lengths());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100_000})
    void shouldGatherAndExchangeWhatOnlyTheGiverKnows(int scale) {
        long[] lengths = uneven(scale);
        List<TensorView> wholes = rooms(7L * scale);
        List<ClientWork> gathers = onAll(rank ->
                clients.get(rank).allGatherVOpen(counted(1_000_000L * rank, lengths[rank]), wholes.get(rank), CALL));
        for (int rank = 0; rank < SIZE; rank++) {
            assertEquals(list(lengths), end(gathers.get(rank)).lengths());
            Tensors.assertSame(counted(0, lengths[0]), wholes.get(rank).slice(0, lengths[0]));
            Tensors.assertSame(counted(2_000_000, lengths[2]), wholes.get(rank).slice(lengths[0], lengths[2]));
        }
        // Each has for rank s a block of length uneven[(rank + s) % 3].
        List<TensorView> rooms = rooms(7L * scale + 2);
        List<ClientWork> exchanges = onAll(rank -> clients.get(rank)
                .allToAllVOpen(counted(1_000_000L * rank, 7L * scale), rooms.get(rank), turned(lengths, rank), CALL));
        for (int rank = 0; rank < SIZE; rank++) {
            assertEquals(new Completion(-1, -1, 7L * scale, list(turned(lengths, rank))), end(exchanges.get(rank)));
            long at = 0;
            for (int from = 0; from < SIZE; from++) {
                long[] sent = turned(lengths, from);
                long before = Arrays.stream(sent).limit(rank).sum();
                Tensors.assertSame(
                        counted(1_000_000L * from + before, sent[rank]),
                        rooms.get(rank).slice(at, sent[rank]));
                at += sent[rank];
            }
            assertCame(rooms.get(rank).slice(0, at), rooms.get(rank));
        }
    }

    private static long[] turned(long[] lengths, int by) {
        return IntStream.range(0, SIZE)
                .mapToLong(to -> lengths[(by + to) % SIZE])
                .toArray();
    }

    @Test
    void shouldTellTheLengthsOfCallsInWhichAllKnowThem() {
        long[] lengths = uneven(1);
        List<TensorView> wholes = rooms(7);
        onAll(rank -> clients.get(rank).allGatherV(counted(rank, lengths[rank]), wholes.get(rank), lengths, CALL))
                .forEach(work -> assertEquals(list(lengths), end(work).lengths()));
        onAll(rank -> clients.get(rank).barrier(CALL))
                .forEach(work -> assertEquals(List.of(), end(work).lengths()));
    }

    /** No rank waits, and all are told which had too little room, and what it would have needed. */
    @Test
    void shouldSayHowMuchRoomWasNeeded() {
        List<TensorView> rooms = rooms(7);
        List<ClientWork> works = onAll(rank -> clients.get(rank)
                .allGatherVOpen(
                        counted(0, uneven(1)[rank]), rank == 1 ? rooms.get(rank).slice(0, 6) : rooms.get(rank), CALL));
        assertTooSmall(works, 1, "the output of rank 1 has room for 6 int32, and 7 come to it (lengths 2,0,5)");
        Tensors.assertSame(Tensors.ints(7, i -> -1), rooms.get(1));
        works = onAll(rank -> clients.get(rank)
                .gatherVOpen(
                        counted(0, uneven(1)[rank]), rank == 2 ? rooms.get(2).slice(0, 0) : null, 2, CALL));
        assertTooSmall(works, 2, "the output of rank 2 has room for 0 int32, and 7 come to it (lengths 2,0,5)");
        works = onAll(rank -> clients.get(rank)
                .scatterVOpen(rank == 0 ? counted(0, 7) : null, rooms.get(rank).slice(0, 4), uneven(1), 0, CALL));
        assertTooSmall(works, 2, "the output of rank 2 has room for 4 int32, and 5 come to it (lengths 5)");
        works = onAll(rank -> clients.get(rank)
                .allToAllVOpen(
                        counted(0, 7), rooms.get(rank).slice(0, rank == 1 ? 5 : 7), turned(uneven(1), rank), CALL));
        assertTooSmall(works, 1, "the output of rank 1 has room for 5 int32, and 7 come to it (lengths 0,5,2)");
    }

    /**
     * A rank whose own part was done before it could know of the failure is told at its next call, which is refused.
     */
    private static void assertTooSmall(List<ClientWork> works, int culprit, String said) {
        for (int rank = 0; rank < SIZE; rank++) {
            ParexException failure = failure(works.get(rank));
            if (failure == null) {
                assertNotEquals(culprit, rank, "ended well");
            } else {
                assertEquals(ErrorKind.ARGUMENT, failure.kind(), failure.getMessage());
                assertTrue(failure.getMessage().contains(said), failure.getMessage());
            }
        }
        // The first may be under way on a rank before it hears of the failure: then its second is refused.
        for (int round = 0; round < 2; round++) {
            List<CompletableFuture<Completion>> barriers = IntStream.range(0, SIZE)
                    .mapToObj(rank -> barrier(clients.get(rank), said))
                    .toList();
            barriers.forEach(barrier -> assertDoesNotThrow(() -> barrier.get(20, TimeUnit.SECONDS)));
        }
    }

    /** Calls a barrier, and again if it is refused because of a failure that says {@code said}. */
    private static CompletableFuture<Completion> barrier(ParexClient client, String said) {
        return client.barrier(CALL)
                .onFailure(failure -> failure instanceof ParexException known
                        && known.wasRefused()
                        && known.getMessage().contains(said))
                .recoverWithUni(() -> client.barrier(CALL))
                .subscribeAsCompletionStage();
    }

    /** How it failed, null if it ended well. */
    private static ParexException failure(ClientWork work) {
        try {
            end(work);
            return null;
        } catch (ParexException e) {
            return e;
        }
    }

    @Test
    void shouldFailWhereOnlySomeLeaveLengthsOpen() {
        List<ClientWork> works = onAll(rank -> rank == 0
                ? clients.get(rank).allGatherVOpen(counted(0, 2), rooms(7).getFirst(), CALL)
                : clients.get(rank).allGatherV(counted(0, uneven(1)[rank]), rooms(7).getFirst(), uneven(1), CALL));
        for (ClientWork work : works) {
            ParexException failure = assertThrows(ParexException.class, () -> end(work));
            assertEquals(ErrorKind.MISMATCH, failure.kind(), failure.getMessage());
            assertTrue(failure.getMessage().contains("lengths open"), failure.getMessage());
        }
    }

    @Test
    void shouldRefuseWhatDoesNotFitBeforeAnythingIsSent() {
        TensorView six = rooms(6).getFirst();
        ParexClient client = clients.getFirst();
        for (ClientWork refused : List.of(
                client.allGatherVOpen(six.slice(0, 2), six, CALL),
                client.allGatherVOpen(counted(0, 2), Tensors.empty(DataType.INT64, 6), CALL),
                client.allToAllVOpen(counted(0, 5), six, uneven(1), CALL),
                client.allToAllVOpen(counted(0, 7), six, null, CALL),
                client.scatterVOpen(counted(0, 6), rooms(7).getFirst(), uneven(1), 0, CALL),
                client.scatterVOpen(counted(0, 7), null, uneven(1), 0, CALL),
                client.gatherVOpen(counted(0, 7), null, 0, CALL))) {
            ParexException failure = assertThrows(ParexException.class, () -> end(refused));
            assertEquals(ErrorKind.ARGUMENT, failure.kind(), failure.getMessage());
            assertTrue(failure.wasRefused(), failure.getMessage());
        }
        onAll(rank -> clients.get(rank).barrier(CALL)).forEach(OpenLengthsTest::end);
    }

    /** With the same lengths both ways an all_to_all_v may be in place, also where input is sent bit by bit. */
    @ParameterizedTest
    @ValueSource(ints = {1, 200_000})
    void shouldExchangeInPlaceWhereLengthsAreTheSameBothWays(int scale) {
        // Rank r has (r + s) x scale elements for rank s.
        List<TensorView> tensors = IntStream.range(0, SIZE)
                .mapToObj(rank -> counted(10_000_000L * rank, (3L * rank + 3) * scale))
                .toList();
        onAll(rank -> {
                    long[] lengths = LongStream.range(rank, rank + SIZE)
                            .map(each -> each * scale)
                            .toArray();
                    return clients.get(rank).allToAllV(tensors.get(rank), tensors.get(rank), lengths, lengths, CALL);
                })
                .forEach(OpenLengthsTest::end);
        int[] got = Tensors.ints(tensors.get(1));
        assertArrayEquals(
                new int[] {0, 10_000_000 + scale, 20_000_000 + 2 * scale},
                new int[] {got[0], got[scale], got[3 * scale]});
        assertEquals(20_000_000 + 5 * scale - 1, got[got.length - 1]);
    }
}

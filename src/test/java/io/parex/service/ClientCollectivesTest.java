package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.client.ClientOptions;
import io.parex.client.ClientWork;
import io.parex.client.ParexClient;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every collective by the Java client, on three ranks: out of place, in place, of uneven blocks, of several tensors.
 */
class ClientCollectivesTest {
    private static final ClientOptions CALL = ClientOptions.DEFAULT;
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int SIZE = 3;

    /** Blocks of these lengths are of rank 0, 1, 2. */
    private static final long[] UNEVEN = {2, 0, 5};

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

    private static void onAll(IntFunction<ClientWork> call) {
        List<ClientWork> works = IntStream.range(0, SIZE).mapToObj(call).toList();
        works.forEach(work -> work.await().atMost(LIMIT));
    }

    /** Element i of what rank r has: told apart from all others. */
    private static LongUnaryOperator of(int rank) {
        return i -> 1000L * rank + i;
    }

    private static List<TensorView> tensors(IntFunction<TensorView> made) {
        return IntStream.range(0, SIZE).mapToObj(made).toList();
    }

    private static TensorView zeros(long count) {
        return Tensors.ints(count, i -> -1);
    }

    private static void assertInts(LongUnaryOperator expected, TensorView actual, String what) {
        int[] values = IntStream.range(0, (int) actual.count())
                .map(i -> (int) expected.applyAsLong(i))
                .toArray();
        assertArrayEquals(values, Tensors.ints(actual), what);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 40_000})
    void shouldScatterAndGather(int count) {
        for (int root = 0; root < SIZE; root++) {
            int at = root;
            TensorView whole = Tensors.ints((long) SIZE * count, of(7));
            List<TensorView> blocks = tensors(rank -> zeros(count));
            onAll(rank -> clients.get(rank).scatter(rank == at ? whole : null, blocks.get(rank), at, CALL));
            for (int rank = 0; rank < SIZE; rank++) {
                int from = rank * count;
                assertInts(i -> 7000 + from + i, blocks.get(rank), "block of rank " + rank);
            }
            TensorView back = zeros((long) SIZE * count);
            onAll(rank -> clients.get(rank).gather(blocks.get(rank), rank == at ? back : null, at, CALL));
            Tensors.assertSame(whole, back);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 40_000})
    void shouldGatherAndCombineEverywhere(int count) {
        List<TensorView> blocks = tensors(rank -> Tensors.ints(count, of(rank)));
        List<TensorView> wholes = tensors(rank -> zeros((long) SIZE * count));
        onAll(rank -> clients.get(rank).allGather(blocks.get(rank), wholes.get(rank), CALL));
        wholes.forEach(whole -> assertInts(i -> 1000 * (i / count) + i % count, whole, "all_gather"));
        List<TensorView> sums = tensors(rank -> zeros(count));
        onAll(rank -> clients.get(rank).reduceScatter(wholes.get(rank), sums.get(rank), ReduceOp.SUM, CALL));
        for (int rank = 0; rank < SIZE; rank++) {
            int of = rank;
            assertInts(i -> SIZE * (1000L * of + i), sums.get(rank), "reduce_scatter");
        }
        TensorView root = zeros(count);
        onAll(rank -> clients.get(rank).reduce(blocks.get(rank), rank == 1 ? root : null, ReduceOp.MAX, 1, CALL));
        assertInts(of(SIZE - 1), root, "reduce");
        List<TensorView> exchanged = tensors(rank -> zeros((long) SIZE * count));
        List<TensorView> mine = tensors(rank -> Tensors.ints((long) SIZE * count, of(rank)));
        onAll(rank -> clients.get(rank).allToAll(mine.get(rank), exchanged.get(rank), CALL));
        for (int rank = 0; rank < SIZE; rank++) {
            int to = rank;
            assertInts(i -> 1000 * (i / count) + (long) to * count + i % count, exchanged.get(rank), "all_to_all");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 400_000})
    void shouldDoAllInPlace(int count) {
        List<TensorView> wholes = tensors(rank -> zeros((long) SIZE * count));
        IntStream.range(0, SIZE)
                .forEach(rank -> block(wholes.get(rank), rank, count)
                        .segment()
                        .copyFrom(Tensors.ints(count, of(rank)).segment()));
        onAll(rank -> clients.get(rank).allGather(block(wholes.get(rank), rank, count), wholes.get(rank), CALL));
        wholes.forEach(whole -> assertInts(i -> 1000 * (i / count) + i % count, whole, "all_gather"));
        onAll(rank -> clients.get(rank).allToAll(wholes.get(rank), wholes.get(rank), CALL));
        for (int rank = 0; rank < SIZE; rank++) {
            int to = rank;
            assertInts(i -> 1000L * to + i % count, wholes.get(rank), "all_to_all");
        }
        onAll(rank -> clients.get(rank)
                .reduceScatter(wholes.get(rank), block(wholes.get(rank), rank, count), ReduceOp.SUM, CALL));
        for (int rank = 0; rank < SIZE; rank++) {
            assertInts(i -> 3000 + 3 * i, block(wholes.get(rank), rank, count), "reduce_scatter");
        }
        TensorView all = wholes.get(2);
        List<TensorView> blocks = tensors(rank -> block(wholes.get(rank), rank, count));
        onAll(rank -> clients.get(rank).gather(blocks.get(rank), rank == 2 ? all : null, 2, CALL));
        assertInts(i -> 3000 + 3 * (i % count), all, "gather");
        onAll(rank -> clients.get(rank).scatter(rank == 2 ? all : null, blocks.get(rank), 2, CALL));
        blocks.forEach(block -> assertInts(i -> 3000 + 3 * i, block, "scatter"));
        onAll(rank ->
                clients.get(rank).reduce(blocks.get(rank), rank == 0 ? blocks.get(0) : null, ReduceOp.MIN, 0, CALL));
        assertInts(i -> 3000 + 3 * i, blocks.get(0), "reduce");
    }

    private static TensorView block(TensorView whole, int rank, int count) {
        return whole.slice((long) rank * count, count);
    }

    @Test
    void shouldMoveBlocksOfAnyLengths() {
        List<TensorView> blocks = tensors(rank -> Tensors.ints(UNEVEN[rank], of(rank)));
        TensorView expected = Tensors.ints(7, i -> i < 2 ? i : 2000 + i - 2);
        List<TensorView> wholes = tensors(rank -> zeros(7));
        onAll(rank -> clients.get(rank).allGatherV(blocks.get(rank), wholes.get(rank), UNEVEN, CALL));
        wholes.forEach(whole -> Tensors.assertSame(expected, whole));
        TensorView gathered = zeros(7);
        onAll(rank -> clients.get(rank)
                .gatherV(blocks.get(rank), rank == 1 ? gathered : null, rank == 1 ? UNEVEN : null, 1, CALL));
        Tensors.assertSame(expected, gathered);
        List<TensorView> scattered = tensors(rank -> zeros(UNEVEN[rank]));
        onAll(rank -> clients.get(rank)
                .scatterV(rank == 0 ? gathered : null, scattered.get(rank), rank == 0 ? UNEVEN : null, 0, CALL));
        IntStream.range(0, SIZE).forEach(rank -> Tensors.assertSame(blocks.get(rank), scattered.get(rank)));
        onAll(rank ->
                clients.get(rank).reduceScatterV(wholes.get(rank), scattered.get(rank), UNEVEN, ReduceOp.SUM, CALL));
        assertInts(i -> 3 * (2000 + i), scattered.get(2), "reduce_scatter_v");
        // Rank r has r + s elements for rank s.
        List<TensorView> sent = tensors(rank -> Tensors.ints(3L * rank + 3, i -> 1000L * rank + i));
        List<TensorView> got = tensors(rank -> zeros(3L * rank + 3));
        onAll(rank -> {
            long[] lengths = {rank, rank + 1L, rank + 2L};
            return clients.get(rank).allToAllV(sent.get(rank), got.get(rank), lengths, lengths, CALL);
        });
        // From rank 0 its element 0, from rank 1 its elements 1 and 2, from rank 2 its elements 2, 3 and 4.
        assertArrayEquals(new int[] {0, 1001, 1002, 2002, 2003, 2004}, Tensors.ints(got.get(1)));
    }

    @Test
    void shouldTakeSeveralTensorsAsOne() {
        List<List<TensorView>> inputs = IntStream.range(0, SIZE)
                .mapToObj(
                        rank -> List.of(Tensors.ints(2, of(rank)), Tensors.ints(0, i -> 0), Tensors.ints(3, of(rank))))
                .toList();
        List<List<TensorView>> sums = IntStream.range(0, SIZE)
                .mapToObj(rank -> List.of(zeros(2), zeros(0), zeros(3)))
                .toList();
        onAll(rank -> clients.get(rank).allReduce(inputs.get(rank), sums.get(rank), ReduceOp.SUM, CALL));
        sums.forEach(each -> {
            assertInts(i -> 3000 + 3 * i, each.get(0), "first sum");
            assertInts(i -> 3000 + 3 * i, each.get(2), "last sum");
        });
        List<List<TensorView>> wholes = IntStream.range(0, SIZE)
                .mapToObj(rank -> List.of(zeros(6), zeros(0), zeros(9)))
                .toList();
        onAll(rank -> clients.get(rank).allGather(inputs.get(rank), wholes.get(rank), CALL));
        wholes.forEach(each -> {
            assertInts(i -> 1000 * (i / 2) + i % 2, each.get(0), "first blocks");
            assertInts(i -> 1000 * (i / 3) + i % 3, each.get(2), "last blocks");
        });
        onAll(rank -> clients.get(rank).reduceScatter(wholes.get(rank), sums.get(rank), ReduceOp.SUM, CALL));
        assertInts(i -> 3 * (1000 + i), sums.get(1).get(2), "reduce_scatter of several");
        onAll(rank -> clients.get(rank).broadcast(inputs.get(rank), 2, CALL));
        assertInts(of(2), inputs.get(0).get(2), "broadcast of several");
    }

    @Test
    void shouldMultiplyBeforeItSums() {
        List<TensorView> tensors = tensors(rank -> Tensors.floats(5, i -> 4 * (i + rank)));
        onAll(rank ->
                clients.get(rank).allReduce(tensors.get(rank), tensors.get(rank), ReduceOp.PREMUL_SUM, 0.25, CALL));
        Tensors.assertSame(Tensors.floats(5, i -> 3 * i + 3), tensors.get(1));
        ParexException none = assertThrows(
                ParexException.class,
                () -> onAll(rank ->
                        clients.get(rank).allReduce(tensors.get(rank), tensors.get(rank), ReduceOp.PREMUL_SUM, CALL)));
        assertEquals(ErrorKind.ARGUMENT, none.kind());
        assertTrue(none.getMessage().contains("needs a factor"), none.getMessage());
    }

    @Test
    void shouldRefuseWhatDoesNotFit() {
        TensorView six = zeros(6);
        TensorView four = zeros(4);
        for (ClientWork refused : List.of(
                clients.get(0).allGather(four, six, CALL),
                clients.get(0).allGather(six.slice(1, 2), six, CALL),
                clients.get(0).allToAll(six, four, CALL),
                clients.get(0).reduceScatterV(six, four, new long[] {1, 2, 4}, ReduceOp.SUM, CALL),
                clients.get(0).allGatherV(four, six, new long[] {4, -1, 3}, CALL),
                clients.get(0).gather(four, null, 0, CALL),
                clients.get(0).allReduce(List.of(), List.of(four), ReduceOp.SUM, CALL),
                clients.get(0).allReduce(four, Tensors.empty(DataType.INT64, 4), ReduceOp.SUM, CALL))) {
            ParexException failure =
                    assertThrows(ParexException.class, () -> refused.await().atMost(LIMIT));
            assertEquals(ErrorKind.ARGUMENT, failure.kind(), failure.getMessage());
            assertTrue(failure.wasRefused(), failure.getMessage());
        }
        // Nothing was started: the next call is the same on all ranks.
        onAll(rank -> clients.get(rank).barrier(CALL));
    }

    /** Ranks that give other lengths than the others take: told within moments, not at the timeout. */
    @Test
    void shouldFailWhereLengthsDisagree() {
        List<ClientWork> works = IntStream.range(0, SIZE)
                .mapToObj(rank -> {
                    long[] lengths = rank == 0 ? new long[] {1, 2, 3} : new long[] {2, 1, 3};
                    return clients.get(rank).allGatherV(zeros(lengths[rank]), zeros(6), lengths, CALL);
                })
                .toList();
        for (ClientWork work : works) {
            ParexException failure =
                    assertThrows(ParexException.class, () -> work.await().atMost(LIMIT));
            assertEquals(ErrorKind.MISMATCH, failure.kind(), failure.getMessage());
            assertTrue(failure.getMessage().contains("1,2,3"), failure.getMessage());
        }
        onAll(rank -> clients.get(rank).barrier(CALL));
    }
}

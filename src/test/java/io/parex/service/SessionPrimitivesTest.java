package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.client.ClientOptions;
import io.parex.client.Completion;
import io.parex.client.ParexClient;
import io.parex.client.Transfer;
import io.parex.client.WorldInfo;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every primitive, by four clients of four hosted ranks. */
class SessionPrimitivesTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ClientOptions CALL = ClientOptions.DEFAULT;
    private static EdgeServer server;
    private static List<ParexClient> clients;

    @BeforeAll
    static void start() {
        server = EdgeServer.of(4);
        clients = IntStream.range(0, 4).mapToObj(server::client).toList();
    }

    @AfterAll
    static void stop() {
        clients.forEach(ParexClient::close);
        server.close();
    }

    private static List<Completion> onAll(IntFunction<Uni<Completion>> call) {
        return IntStream.range(0, 4).mapToObj(call).toList().stream()
                .map(each -> each.await().atMost(LIMIT))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 3, 5000, 300_007, 5_000_001})
    void shouldReduceOnAllRanks(long count) {
        List<TensorView> outputs = IntStream.range(0, 4)
                .mapToObj(rank -> Tensors.empty(DataType.FLOAT32, count))
                .toList();
        List<Completion> ends = onAll(rank -> clients.get(rank)
                .allReduce(Tensors.floats(count, i -> i % 1000 + rank), outputs.get(rank), ReduceOp.SUM, CALL));
        TensorView expected = Tensors.floats(count, i -> 4 * (i % 1000) + 6);
        outputs.forEach(output -> Tensors.assertSame(expected, output));
        ends.forEach(end -> assertEquals(new Completion(-1, -1, count), end));
    }

    @Test
    void shouldReduceInPlace() {
        List<TensorView> tensors = IntStream.range(0, 4)
                .mapToObj(rank -> Tensors.ints(1_000_003, i -> i * (rank + 1)))
                .toList();
        onAll(rank -> clients.get(rank).allReduce(tensors.get(rank), tensors.get(rank), ReduceOp.MAX, CALL));
        tensors.forEach(tensor -> Tensors.assertSame(Tensors.ints(1_000_003, i -> i * 4), tensor));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 70_000, 5_000_001})
    void shouldBroadcastFromTheRoot(long count) {
        List<TensorView> tensors = IntStream.range(0, 4)
                .mapToObj(rank -> rank == 2 ? Tensors.ints(count, i -> i) : Tensors.empty(DataType.INT32, count))
                .toList();
        onAll(rank -> clients.get(rank).broadcast(tensors.get(rank), 2, CALL));
        tensors.forEach(tensor -> Tensors.assertSame(tensors.get(2), tensor));
    }

    @Test
    void shouldPassABarrier() {
        onAll(rank -> clients.get(rank).barrier(CALL));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 16_384, 16_385, 5_000_001})
    void shouldSendAndReceive(long count) {
        TensorView message = Tensors.ints(count, i -> i ^ 7);
        TensorView got = Tensors.empty(DataType.INT32, count);
        Uni<Completion> recv = clients.get(3).recv(got, 1, CALL.withTag(5));
        clients.get(1).send(message, 3, CALL.withTag(5)).await().atMost(LIMIT);
        assertEquals(new Completion(1, 5, count), recv.await().atMost(LIMIT));
        Tensors.assertSame(message, got);
    }

    @Test
    void shouldReceiveFromAnySourceWithAnyTag() {
        TensorView got = Tensors.empty(DataType.INT32, 3);
        Uni<Completion> recv = clients.get(0).recv(got, ParexClient.ANY_SOURCE, CALL.withTag(ParexClient.ANY_TAG));
        clients.get(2).isend(Tensors.ints(3, i -> i + 1), 0, CALL.withTag(9));
        assertEquals(new Completion(2, 9, 3), recv.await().atMost(LIMIT));
        assertArrayEquals(new int[] {1, 2, 3}, Tensors.ints(got));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2_000_003})
    void shouldShiftAroundTheRing(long count) {
        List<TensorView> got = IntStream.range(0, 4)
                .mapToObj(rank -> Tensors.empty(DataType.INT32, count))
                .toList();
        onAll(rank -> clients.get(rank)
                .sendRecv(
                        Transfer.send(Tensors.ints(count, i -> rank), (rank + 1) % 4, 1),
                        Transfer.recv(got.get(rank), (rank + 3) % 4, 1),
                        CALL));
        IntStream.range(0, 4)
                .forEach(rank -> Tensors.assertSame(Tensors.ints(count, i -> (rank + 3) % 4), got.get(rank)));
    }

    @Test
    void shouldRunABatchThatListsReceivesFirst() {
        List<List<TensorView>> got = new ArrayList<>();
        List<Uni<Completion>> ends = new ArrayList<>();
        for (int rank = 0; rank < 4; rank++) {
            int me = rank;
            List<TensorView> tensors = IntStream.range(0, 4)
                    .mapToObj(peer -> Tensors.empty(DataType.INT32, 100_000))
                    .toList();
            got.add(tensors);
            List<Transfer> transfers = new ArrayList<>();
            for (int peer = 0; peer < 4; peer++) {
                transfers.add(Transfer.recv(tensors.get(peer), peer, 0));
            }
            for (int peer = 0; peer < 4; peer++) {
                int to = peer;
                transfers.add(Transfer.send(Tensors.ints(100_000, i -> 10 * me + to), peer, 0));
            }
            ends.addAll(clients.get(rank).batch(transfers, CALL));
        }
        ends.forEach(end -> end.await().atMost(LIMIT));
        for (int me = 0; me < 4; me++) {
            for (int from = 0; from < 4; from++) {
                int value = 10 * from + me;
                Tensors.assertSame(
                        Tensors.ints(100_000, i -> value), got.get(me).get(from));
            }
        }
    }

    @Test
    void shouldDescribeTheWorld() {
        WorldInfo info = clients.get(0).getWorld().await().atMost(LIMIT);
        assertEquals("parex", info.name());
        assertEquals(4, info.size());
        assertEquals(
                List.of(0, 1, 2, 3),
                info.ranks().stream().map(WorldInfo.Rank::rank).toList());
        assertEquals("ready", info.ranks().getFirst().state());
    }
}

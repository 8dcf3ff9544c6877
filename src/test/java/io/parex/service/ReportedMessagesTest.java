package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.client.ClientOptions;
import io.parex.client.ClientWork;
import io.parex.client.ParexClient;
import io.parex.client.Transfer;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Messages and handles that have gone wrong elsewhere, as clients of four ranks see them, by their numbers in the
 * collection of reported cases.
 */
class ReportedMessagesTest {
    private static final ClientOptions CALL = ClientOptions.DEFAULT;
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int SIZE = 4;

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
        server.close();
    }

    private static void succeed(List<ClientWork> works) {
        works.forEach(work -> work.await().atMost(LIMIT));
    }

    private static TensorView one(int value) {
        return Tensors.ints(1, i -> value);
    }

    /** C41: the tag decides, not the order of the receives. */
    @Test
    void shouldMatchByTagWhateverTheOrder() {
        TensorView zeros = Tensors.ints(1000, i -> -1);
        TensorView ones = Tensors.ints(1000, i -> -1);
        ClientWork second = clients.get(1).irecv(zeros, 0, CALL.withTag(2));
        ClientWork first = clients.get(1).irecv(ones, 0, CALL.withTag(1));
        succeed(List.of(clients.get(0).send(Tensors.ints(1000, i -> 1), 1, CALL.withTag(1)), first));
        assertFalse(second.isDone());
        succeed(List.of(clients.get(0).send(Tensors.ints(1000, i -> 0), 1, CALL.withTag(2)), second));
        Tensors.assertSame(Tensors.ints(1000, i -> 1), ones);
        Tensors.assertSame(Tensors.ints(1000, i -> 0), zeros);
    }

    /** C43: a rank receives what it sends itself, before or after. */
    @Test
    void shouldDeliverToItself() {
        TensorView received = one(0);
        succeed(List.of(clients.get(2).send(one(5), 2, CALL)));
        succeed(List.of(clients.get(2).recv(received, 2, CALL)));
        assertArrayEquals(new int[] {5}, Tensors.ints(received));
    }

    /** C48: all others of the batch end well. */
    @Test
    void shouldFailOnlyTheReceiveThatHasNoSender() {
        TensorView received = one(0);
        List<ClientWork> zero = clients.get(0)
                .batch(
                        List.of(Transfer.send(one(42), 1, 7), Transfer.recv(one(0), 1, 9)),
                        CALL.withTimeout(Duration.ofMillis(500)));
        List<ClientWork> other = clients.get(1).batch(List.of(Transfer.recv(received, 0, 7)), CALL);
        succeed(List.of(other.getFirst(), zero.getFirst()));
        ParexException failure =
                assertThrows(ParexException.class, () -> zero.getLast().await().atMost(LIMIT));
        assertEquals(ErrorKind.TIMEOUT, failure.kind(), failure.getMessage());
        assertTrue(failure.getMessage().contains("from rank 1, tag 9"), failure.getMessage());
        assertArrayEquals(new int[] {42}, Tensors.ints(received));
    }

    /** C54: 512 sends and as many receives of each rank, of 1 KiB. */
    @Test
    void shouldTakeAThousandOperationsInOneBatch() {
        int each = 128;
        List<List<TensorView>> slots = new ArrayList<>();
        List<ClientWork> works = new ArrayList<>();
        for (int rank = 0; rank < SIZE; rank++) {
            List<Transfer> transfers = new ArrayList<>();
            List<TensorView> mine = new ArrayList<>();
            for (int i = 0; i < SIZE * each; i++) {
                int number = 1000 * rank + i / SIZE;
                mine.add(Tensors.empty(DataType.INT32, 256));
                transfers.add(Transfer.send(Tensors.ints(256, at -> number), i % SIZE, 0));
                transfers.add(Transfer.recv(mine.get(i), i % SIZE, 0));
            }
            slots.add(mine);
            works.addAll(clients.get(rank).batch(transfers, CALL));
        }
        succeed(works);
        for (int rank = 0; rank < SIZE; rank++) {
            for (int i = 0; i < SIZE * each; i++) {
                int number = 1000 * (i % SIZE) + i / SIZE;
                Tensors.assertSame(
                        Tensors.ints(256, at -> number), slots.get(rank).get(i));
            }
        }
    }

    /** C74: both sides only ask whether it is done. */
    @Test
    void shouldProgressWithoutAnybodyWaiting() {
        TensorView sent = Tensors.ints(1 << 18, i -> i);
        TensorView received = Tensors.empty(DataType.INT32, 1 << 18);
        ClientWork send = clients.get(0).isend(sent, 1, CALL);
        ClientWork recv = clients.get(1).irecv(received, 0, CALL);
        Awaitility.await()
                .pollInterval(Duration.ofMillis(10))
                .atMost(LIMIT)
                .until(() -> send.isDone() && recv.isDone());
        Tensors.assertSame(sent, received);
    }

    /** C78: three sends and three receives, by tags, of tensors that nobody else refers to. */
    @Test
    void shouldKeepHandlesApart() {
        List<TensorView> taken = IntStream.range(0, 3).mapToObj(i -> one(-1)).toList();
        List<ClientWork> works = new ArrayList<>(IntStream.range(0, 3)
                .mapToObj(i -> clients.get(0).isend(one(i), 1, CALL.withTag(i)))
                .toList());
        IntStream.range(0, 3).forEach(i -> works.add(clients.get(1).irecv(taken.get(i), 0, CALL.withTag(i))));
        succeed(works);
        IntStream.range(0, 3).forEach(i -> assertArrayEquals(new int[] {i}, Tensors.ints(taken.get(i))));
    }

    /** C79: two clients of each rank call in no order: with names the clash is found, and no sum is of both. */
    @Test
    void shouldNeverMixTheCallsOfTwoClients() {
        try (EdgeServer other = EdgeServer.of(2);
                ParexClient zeroA = other.client(0);
                ParexClient zeroB = other.client(0);
                ParexClient oneA = other.client(1);
                ParexClient oneB = other.client(1)) {
            ClientOptions a = CALL.withName("A");
            ClientOptions b = CALL.withName("B");
            succeed(List.of(sum(zeroA, 1, a), sum(oneA, 1, a)));
            succeed(List.of(sum(zeroB, 100, b), sum(oneB, 100, b)));
            // Both are call number 2 of the group: A of rank 0, B of rank 1.
            ClientWork first = sum(zeroA, 1, a);
            Awaitility.await()
                    .until(() -> other.edge().ranks().worlds().getFirst().inFlight() == 1);
            ClientWork clash = sum(oneB, 100, b);
            for (ClientWork work : List.of(first, clash)) {
                ParexException failure =
                        assertThrows(ParexException.class, () -> work.await().atMost(LIMIT));
                assertEquals(ErrorKind.MISMATCH, failure.kind(), failure.getMessage());
                assertTrue(failure.getMessage().contains("name"), failure.getMessage());
            }
            ParexException unnamed = assertThrows(
                    ParexException.class, () -> sum(zeroB, 100, CALL).await().atMost(LIMIT));
            assertEquals(ErrorKind.ARGUMENT, unnamed.kind(), unnamed.getMessage());
        }
    }

    private static ClientWork sum(ParexClient client, int value, ClientOptions call) {
        TensorView tensor = one(value);
        return client.allReduce(tensor, tensor, ReduceOp.SUM, call);
    }
}

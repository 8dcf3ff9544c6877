package io.parex.service;

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
import io.parex.v1.AllToAllCall;
import io.parex.v1.CallError;
import io.parex.v1.Lengths;
import io.parex.v1.Operation;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What has gone wrong elsewhere, as clients of two ranks see it, by its numbers in the collection of reported cases.
 */
class ReportedCallsTest {
    private static final ClientOptions CALL = ClientOptions.DEFAULT;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static EdgeServer server;
    private static List<ParexClient> clients;

    @BeforeAll
    static void start() {
        server = EdgeServer.of(2);
        clients = IntStream.range(0, 2).mapToObj(server::client).toList();
    }

    @AfterAll
    static void stop() {
        clients.forEach(ParexClient::close);
        server.close();
    }

    @AfterEach
    void shouldBeUsable() {
        succeed(rank -> clients.get(rank).barrier(CALL));
    }

    private static List<ClientWork> onBoth(IntFunction<ClientWork> call) {
        return IntStream.range(0, 2).mapToObj(call).toList();
    }

    private static void succeed(IntFunction<ClientWork> call) {
        onBoth(call).forEach(work -> work.await().atMost(LIMIT));
    }

    private static void assertFails(ErrorKind kind, String said, ClientWork work) {
        ParexException failure =
                assertThrows(ParexException.class, () -> work.await().atMost(LIMIT));
        assertEquals(kind, failure.kind(), failure.getMessage());
        assertTrue(failure.getMessage().contains(said), failure.getMessage());
    }

    /** C12, C14 and C15: halves are reduced in float32 and rounded once. */
    @Test
    void shouldReduceHalves() {
        // 1.5 and 0.5, -2.25 and 0.25, 3 and 1.
        List<TensorView> bfloats = List.of(
                halves(DataType.BFLOAT16, 0x3fc0, 0xc010, 0x4040), halves(DataType.BFLOAT16, 0x3f00, 0x3e80, 0x3f80));
        succeed(rank -> clients.get(rank).allReduce(bfloats.get(rank), bfloats.get(rank), ReduceOp.SUM, CALL));
        // 2, -2 and 4.
        bfloats.forEach(sum -> Tensors.assertSame(halves(DataType.BFLOAT16, 0x4000, 0xc000, 0x4080), sum));
        // 60000 twice, and 65504 and 15.
        List<TensorView> averages = List.of(halves(DataType.FLOAT16, 0x7b53), halves(DataType.FLOAT16, 0x7b53));
        succeed(rank -> clients.get(rank).allReduce(averages.get(rank), averages.get(rank), ReduceOp.AVG, CALL));
        averages.forEach(average -> Tensors.assertSame(halves(DataType.FLOAT16, 0x7b53), average));
        List<TensorView> sums =
                List.of(halves(DataType.FLOAT16, 0x7b53, 0x7bff), halves(DataType.FLOAT16, 0x7b53, 0x4b80));
        succeed(rank -> clients.get(rank).allReduce(sums.get(rank), sums.get(rank), ReduceOp.SUM, CALL));
        sums.forEach(sum -> Tensors.assertSame(halves(DataType.FLOAT16, 0x7c00, 0x7bff), sum));
    }

    private static TensorView halves(DataType type, int... bits) {
        TensorView tensor = Tensors.empty(type, bits.length);
        for (int i = 0; i < bits.length; i++) {
            tensor.segment().setAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, i, (short) bits[i]);
        }
        return tensor;
    }

    /** C18 and C19: what is not computed fails on all ranks, and the type is named. */
    @Test
    void shouldRefuseWhatIsNotComputed() {
        onBoth(rank -> allReduce(rank, DataType.BOOL, ReduceOp.AVG))
                .forEach(work -> assertFails(ErrorKind.UNSUPPORTED, "avg of bool", work));
        onBoth(rank -> allReduce(rank, DataType.FLOAT32, ReduceOp.BAND))
                .forEach(work -> assertFails(ErrorKind.UNSUPPORTED, "band of float32", work));
    }

    private static ClientWork allReduce(int rank, DataType type, ReduceOp op) {
        TensorView tensor = Tensors.empty(type, 5);
        return clients.get(rank).allReduce(tensor, tensor, op, CALL);
    }

    /** C10: another type on each rank; what would have been overwritten is not. */
    @Test
    void shouldNotTakeOneTypeForAnother() {
        TensorView sent = Tensors.floats(6, i -> i);
        TensorView zeros = Tensors.empty(DataType.INT64, 14);
        onBoth(rank -> clients.get(rank).broadcast(rank == 0 ? sent : zeros, 0, CALL))
                .forEach(work -> {
                    assertFails(ErrorKind.MISMATCH, "float32 x 6", work);
                    assertFails(ErrorKind.MISMATCH, "int64 x 14", work);
                });
        Tensors.assertSame(Tensors.empty(DataType.INT64, 14), zeros);
    }

    /** C61: each takes itself for the root, or the other one. */
    @Test
    void shouldNameBothRoots() {
        for (int shift : new int[] {0, 1}) {
            onBoth(rank -> clients.get(rank).reduce(tensor(), tensor(), ReduceOp.SUM, (rank + shift) % 2, CALL))
                    .forEach(ReportedCallsTest::assertNamesBothRoots);
            onBoth(rank -> clients.get(rank).broadcast(tensor(), (rank + shift) % 2, CALL))
                    .forEach(ReportedCallsTest::assertNamesBothRoots);
        }
    }

    private static void assertNamesBothRoots(ClientWork work) {
        assertFails(ErrorKind.MISMATCH, "root 0", work);
        assertFails(ErrorKind.MISMATCH, "root 1", work);
    }

    private static TensorView tensor() {
        return Tensors.ints(3, i -> i);
    }

    /** C53: a receive of another size than the message, either way. */
    @Test
    void shouldNotCutMessages() {
        for (long[] counts : new long[][] {{4, 2}, {2, 4}}) {
            TensorView sent = Tensors.empty(DataType.BFLOAT16, counts[0]);
            TensorView received = halves(DataType.BFLOAT16, 7, 7, 7, 7).slice(0, counts[1]);
            // So small a message has left when its size is found to be wrong.
            clients.get(0).send(sent, 1, CALL).await().atMost(LIMIT);
            ClientWork work = clients.get(1).recv(received, 0, CALL);
            String said = "rank 0 sends bfloat16 x " + counts[0] + ", rank 1 receives bfloat16 x " + counts[1];
            assertFails(ErrorKind.MISMATCH, said, work);
            Tensors.assertSame(halves(DataType.BFLOAT16, 7, 7, 7, 7).slice(0, counts[1]), received);
        }
    }

    /** C37: lengths to send of 6 elements that do not add up, are negative, or are for another number of ranks. */
    static List<long[]> wrongLengths() {
        return List.of(new long[] {4, 4}, new long[] {-1, 7}, new long[] {6}, new long[] {3, 3, 0});
    }

    @ParameterizedTest
    @MethodSource("wrongLengths")
    void shouldTellTheOtherRankOfLengthsThatDoNotAddUp(long[] wrong) {
        try (EdgeServer other = EdgeServer.of(2)) {
            List<SessionDriver> sessions = IntStream.range(0, 2)
                    .mapToObj(rank -> SessionDriver.open(other, rank))
                    .toList();
            sessions.get(1).send(Messages.submit(exchange(3, 3)), Messages.chunk(1, Messages.bytes(24)));
            sessions.get(0).send(Messages.submit(exchange(wrong)));
            CallError own = sessions.get(0).result(1).getError();
            CallError told = sessions.get(1).result(1).getError();
            assertEquals(io.parex.v1.ErrorKind.ERROR_KIND_ARGUMENT, own.getKind(), own::getMessage);
            assertEquals(io.parex.v1.ErrorKind.ERROR_KIND_ARGUMENT, told.getKind(), told::getMessage);
            assertTrue(told.getMessage().contains("rank 0"), told::getMessage);
        }
    }

    private static Operation.Builder exchange(long... lengths) {
        Lengths sent = Lengths.newBuilder()
                .addAllCounts(LongStream.of(lengths).boxed().toList())
                .build();
        return Messages.operation(1)
                .setAllToAll(AllToAllCall.newBuilder()
                        .setTensor(Messages.ints(6))
                        .setSendLengths(sent)
                        .setRecvLengths(Lengths.newBuilder().addAllCounts(List.of(3L, 3L))));
    }
}

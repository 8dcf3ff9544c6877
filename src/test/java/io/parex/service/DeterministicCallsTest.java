package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.client.ClientOptions;
import io.parex.client.ClientWork;
import io.parex.client.ParexClient;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.v1.AllReduceRequest;
import io.parex.v1.AllReduceResponse;
import io.parex.v1.CallHeader;
import io.parex.v1.ParexGrpc;
import io.parex.v1.Tensor;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reductions in the order of the ranks, asked for over gRPC. The values tell one order of summation from another. */
class DeterministicCallsTest {
    private static final ClientOptions CALL = ClientOptions.DEFAULT.withDeterministic(true);
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int SIZE = 3;

    /** Of rank 0, 1 and 2 in float32: ((0 + 1) + 2) is 1, and any order that begins with 1 and 2 gives 0. */
    private static final long[] VALUES = {1L << 30, -1L << 30, 1};

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

    private static void onAll(IntFunction<ClientWork> call) {
        List<ClientWork> works = IntStream.range(0, SIZE).mapToObj(call).toList();
        works.forEach(work -> work.await().atMost(LIMIT));
    }

    private static TensorView value(int rank, long count) {
        return Tensors.floats(count, i -> VALUES[rank]);
    }

    private static List<TensorView> rooms(long count) {
        return IntStream.range(0, SIZE)
                .mapToObj(rank -> Tensors.empty(DataType.FLOAT32, count))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000, 50_000})
    void shouldSumInTheOrderOfTheRanks(int count) {
        TensorView expected = Tensors.floats(count, i -> 1);
        List<TensorView> sums = rooms(count);
        onAll(rank -> clients.get(rank).allReduce(value(rank, count), sums.get(rank), ReduceOp.SUM, CALL));
        sums.forEach(sum -> Tensors.assertSame(expected, sum));
        onAll(rank -> clients.get(rank).reduce(value(rank, count), sums.get(rank), ReduceOp.MAX, 2, CALL));
        onAll(rank -> clients.get(rank).reduce(value(rank, count), sums.get(rank), ReduceOp.SUM, 2, CALL));
        Tensors.assertSame(expected, sums.get(2));
        onAll(rank -> clients.get(rank).reduceScatter(value(rank, 3L * count), sums.get(rank), ReduceOp.SUM, CALL));
        sums.forEach(sum -> Tensors.assertSame(expected, sum));
        // Of no meaning where nothing is combined.
        onAll(rank -> clients.get(rank).broadcast(sums.get(rank), 1, CALL));
    }

    /** The ring sums each third of the tensor from another rank on: what the option is there to avoid. */
    @Test
    void shouldSumInAnotherOrderWithoutBeingAsked() {
        List<TensorView> sums = rooms(3000);
        ClientOptions ring = ClientOptions.DEFAULT.withAlgorithm("ring");
        onAll(rank -> clients.get(rank).allReduce(value(rank, 3000), sums.get(rank), ReduceOp.SUM, ring));
        TensorView ordered = Tensors.floats(3000, i -> 1);
        assertTrue(sums.getFirst().segment().mismatch(ordered.segment()) >= 0, "the ring sums as in rank order");
    }

    @Test
    void shouldRefuseAnAlgorithmThatCannot() {
        List<ClientWork> works = IntStream.range(0, SIZE)
                .mapToObj(rank -> clients.get(rank)
                        .allReduce(value(rank, 5), rooms(5).get(0), ReduceOp.SUM, CALL.withAlgorithm("ring")))
                .toList();
        for (ClientWork work : works) {
            ParexException failure =
                    assertThrows(ParexException.class, () -> work.await().atMost(LIMIT));
            assertEquals(ErrorKind.ARGUMENT, failure.kind(), failure.getMessage());
            assertTrue(failure.getMessage().contains("direct"), failure.getMessage());
        }
        onAll(rank -> clients.get(rank).barrier(CALL));
    }

    /** On a server of its own: the sessions of the other make collectives too, without names. */
    @Test
    void shouldSumInTheOrderOfTheRanksByPlainRpcs() {
        try (EdgeServer plain = EdgeServer.of(SIZE)) {
            List<Responses<AllReduceRequest, AllReduceResponse>> answers = IntStream.range(0, SIZE)
                    .mapToObj(rank -> allReduce(plain.stub(), rank))
                    .toList();
            for (var answer : answers) {
                ByteString sum = answer.next().getChunk();
                assertEquals(
                        -1, Tensors.floats(1, i -> 1).segment().mismatch(MemorySegment.ofArray(sum.toByteArray())));
            }
        }
    }

    private static Responses<AllReduceRequest, AllReduceResponse> allReduce(ParexGrpc.ParexStub stub, int rank) {
        Responses<AllReduceRequest, AllReduceResponse> answer = Responses.all();
        var requests = stub.allReduce(answer);
        CallHeader.Builder header = Messages.rank(rank).setDeterministic(true);
        Tensor tensor = Messages.ints(1).toBuilder()
                .setDtype(io.parex.v1.DataType.DATA_TYPE_FLOAT32)
                .build();
        requests.onNext(Messages.request(
                Messages.sum(header, 1).toBuilder().setTensor(tensor).build()));
        Messages.chunks(value(rank, 1), 4)
                .forEach(chunk -> requests.onNext(
                        AllReduceRequest.newBuilder().setChunk(chunk).build()));
        requests.onCompleted();
        return answer;
    }
}

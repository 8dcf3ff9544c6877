package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import io.parex.v1.AllGatherCall;
import io.parex.v1.AllGatherRequest;
import io.parex.v1.AllGatherResponse;
import io.parex.v1.AllToAllCall;
import io.parex.v1.AllToAllRequest;
import io.parex.v1.AllToAllResponse;
import io.parex.v1.GatherCall;
import io.parex.v1.GatherRequest;
import io.parex.v1.GatherResponse;
import io.parex.v1.Lengths;
import io.parex.v1.ParexGrpc;
import io.parex.v1.ReduceCall;
import io.parex.v1.ReduceOp;
import io.parex.v1.ReduceRequest;
import io.parex.v1.ReduceResponse;
import io.parex.v1.ReduceScatterCall;
import io.parex.v1.ReduceScatterRequest;
import io.parex.v1.ReduceScatterResponse;
import io.parex.v1.ScatterCall;
import io.parex.v1.ScatterRequest;
import io.parex.v1.ScatterResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collectives that give ranks different tensors, by their plain RPCs, on three hosted ranks. */
class PlainCollectivesTest {
    private static final int SIZE = 3;
    private static EdgeServer server;
    private static List<ParexGrpc.ParexStub> stubs;

    @BeforeAll
    static void start() {
        server = EdgeServer.of(SIZE);
        stubs = IntStream.range(0, SIZE).mapToObj(rank -> server.stub()).toList();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** The RPC of one primitive: how it starts, how chunks are sent, and what of an answer is a chunk. */
    private record Rpc<Q, S>(
            BiFunction<ParexGrpc.ParexStub, StreamObserver<S>, StreamObserver<Q>> start,
            Function<ByteString, Q> chunk,
            Function<S, ByteString> part) {}

    /** Runs a call on all ranks; what each gets, of {@code counts} elements. */
    private static <Q, S> List<TensorView> run(
            Rpc<Q, S> rpc, IntFunction<Q> call, IntFunction<TensorView> input, IntToLongFunction counts) {
        List<Responses<Q, S>> answers = new ArrayList<>();
        for (int rank = 0; rank < SIZE; rank++) {
            Responses<Q, S> mine = Responses.all();
            answers.add(mine);
            StreamObserver<Q> requests = rpc.start().apply(stubs.get(rank), mine);
            Q first = call.apply(rank);
            TensorView given = input.apply(rank);
            Thread.ofVirtual().start(() -> {
                requests.onNext(first);
                if (given != null) {
                    Messages.chunks(given, 300_000)
                            .forEach(data -> requests.onNext(rpc.chunk().apply(data)));
                }
                requests.onCompleted();
            });
        }
        List<TensorView> outputs = new ArrayList<>();
        for (int rank = 0; rank < SIZE; rank++) {
            TensorView output = Tensors.empty(DataType.INT32, counts.applyAsLong(rank));
            read(answers.get(rank), rpc.part(), output);
            outputs.add(output);
        }
        return outputs;
    }

    private static <S> void read(Responses<?, S> answers, Function<S, ByteString> part, TensorView output) {
        long position = 0;
        while (position < output.byteSize()) {
            ByteString data = part.apply(answers.next());
            data.copyTo(output.segment().asSlice(position, data.size()).asByteBuffer());
            position += data.size();
        }
        assertEquals(0, part.apply(answers.next()).size(), "only the outcome is left");
        assertNull(answers.end());
    }

    private static TensorView of(int rank, long count) {
        return Tensors.ints(count, i -> 1000L * rank + i);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 200_000})
    void shouldScatterAndGather(int count) {
        TensorView whole = of(5, 3L * count);
        List<TensorView> blocks = run(
                new Rpc<>(
                        ParexGrpc.ParexStub::scatter,
                        data -> ScatterRequest.newBuilder().setChunk(data).build(),
                        ScatterResponse::getChunk),
                rank -> ScatterRequest.newBuilder()
                        .setCall(ScatterCall.newBuilder()
                                .setHeader(Messages.rank(rank))
                                .setBlock(Messages.ints(count))
                                .setRoot(2))
                        .build(),
                rank -> rank == 2 ? whole : null,
                rank -> count);
        for (int rank = 0; rank < SIZE; rank++) {
            Tensors.assertSame(whole.slice((long) rank * count, count), blocks.get(rank));
        }
        List<TensorView> gathered = run(
                new Rpc<>(
                        ParexGrpc.ParexStub::gather,
                        data -> GatherRequest.newBuilder().setChunk(data).build(),
                        GatherResponse::getChunk),
                rank -> GatherRequest.newBuilder()
                        .setCall(GatherCall.newBuilder()
                                .setHeader(Messages.rank(rank))
                                .setBlock(Messages.ints(count))
                                .setRoot(1))
                        .build(),
                blocks::get,
                rank -> rank == 1 ? 3L * count : 0);
        Tensors.assertSame(whole, gathered.get(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 200_000})
    void shouldGatherCombineAndExchange(int count) {
        List<TensorView> wholes = run(
                new Rpc<>(
                        ParexGrpc.ParexStub::allGather,
                        data -> AllGatherRequest.newBuilder().setChunk(data).build(),
                        AllGatherResponse::getChunk),
                rank -> AllGatherRequest.newBuilder()
                        .setCall(AllGatherCall.newBuilder()
                                .setHeader(Messages.rank(rank))
                                .setBlock(Messages.ints(count)))
                        .build(),
                rank -> of(rank, count),
                rank -> 3L * count);
        for (int rank = 0; rank < SIZE; rank++) {
            for (int from = 0; from < SIZE; from++) {
                Tensors.assertSame(of(from, count), wholes.get(rank).slice((long) from * count, count));
            }
        }
        List<TensorView> sums = run(
                new Rpc<>(
                        ParexGrpc.ParexStub::reduceScatter,
                        data -> ReduceScatterRequest.newBuilder().setChunk(data).build(),
                        ReduceScatterResponse::getChunk),
                rank -> ReduceScatterRequest.newBuilder()
                        .setCall(ReduceScatterCall.newBuilder()
                                .setHeader(Messages.rank(rank))
                                .setBlock(Messages.ints(count))
                                .setOp(ReduceOp.REDUCE_OP_SUM))
                        .build(),
                wholes::get,
                rank -> count);
        for (int rank = 0; rank < SIZE; rank++) {
            int of = rank;
            Tensors.assertSame(Tensors.ints(count, i -> 3 * (1000L * of + i)), sums.get(rank));
        }
        List<TensorView> greatest = run(
                new Rpc<>(
                        ParexGrpc.ParexStub::reduce,
                        data -> ReduceRequest.newBuilder().setChunk(data).build(),
                        ReduceResponse::getChunk),
                rank -> ReduceRequest.newBuilder()
                        .setCall(ReduceCall.newBuilder()
                                .setHeader(Messages.rank(rank))
                                .setTensor(Messages.ints(count))
                                .setOp(ReduceOp.REDUCE_OP_MAX)
                                .setRoot(0))
                        .build(),
                rank -> of(rank, count),
                rank -> rank == 0 ? count : 0);
        Tensors.assertSame(of(2, count), greatest.get(0));
    }

    /** Rank r has r + s elements for rank s. */
    @Test
    void shouldExchangeBlocksOfAnyLengths() {
        List<TensorView> got = run(
                new Rpc<>(
                        ParexGrpc.ParexStub::allToAll,
                        data -> AllToAllRequest.newBuilder().setChunk(data).build(),
                        AllToAllResponse::getChunk),
                rank -> {
                    Lengths lengths = Lengths.newBuilder()
                            .addAllCounts(List.of((long) rank, rank + 1L, rank + 2L))
                            .build();
                    return AllToAllRequest.newBuilder()
                            .setCall(AllToAllCall.newBuilder()
                                    .setHeader(Messages.rank(rank))
                                    .setTensor(Messages.ints(3L * rank + 3))
                                    .setSendLengths(lengths)
                                    .setRecvLengths(lengths))
                            .build();
                },
                rank -> of(rank, 3L * rank + 3),
                rank -> 3L * rank + 3);
        Tensors.assertSame(Tensors.ints(6, i -> new int[] {0, 1001, 1002, 2002, 2003, 2004}[(int) i]), got.get(1));
    }
}

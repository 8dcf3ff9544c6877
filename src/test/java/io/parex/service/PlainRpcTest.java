package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import io.parex.v1.AllReduceRequest;
import io.parex.v1.AllReduceResponse;
import io.parex.v1.BarrierCall;
import io.parex.v1.BarrierRequest;
import io.parex.v1.BarrierResponse;
import io.parex.v1.BroadcastCall;
import io.parex.v1.BroadcastRequest;
import io.parex.v1.BroadcastResponse;
import io.parex.v1.Completed;
import io.parex.v1.GetWorldRequest;
import io.parex.v1.GetWorldResponse;
import io.parex.v1.ParexGrpc;
import io.parex.v1.RecvRequest;
import io.parex.v1.RecvResponse;
import io.parex.v1.SendRecvCall;
import io.parex.v1.SendRecvRequest;
import io.parex.v1.SendRecvResponse;
import io.parex.v1.SendRequest;
import io.parex.v1.SendResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every primitive by its plain RPC, on four hosted ranks. */
class PlainRpcTest {
    private static EdgeServer server;
    private static List<ParexGrpc.ParexStub> stubs;

    @BeforeAll
    static void start() {
        server = EdgeServer.of(4);
        stubs = IntStream.range(0, 4).mapToObj(rank -> server.stub()).toList();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Sends the input whole, half-closed. */
    private static <Q> void write(
            StreamObserver<Q> requests, Q call, List<ByteString> input, Function<ByteString, Q> chunk) {
        requests.onNext(call);
        input.forEach(data -> requests.onNext(chunk.apply(data)));
        requests.onCompleted();
    }

    /** Reads output up to the outcome, and the end. */
    private static <S> Completed read(
            Responses<?, S> responses,
            TensorView output,
            Predicate<S> isChunk,
            Function<S, ByteString> chunk,
            Function<S, Completed> end) {
        long position = 0;
        S message = responses.next();
        for (; isChunk.test(message); message = responses.next()) {
            ByteString data = chunk.apply(message);
            data.copyTo(output.segment().asSlice(position, data.size()).asByteBuffer());
            position += data.size();
        }
        assertEquals(output.byteSize(), position);
        assertNull(responses.end());
        return end.apply(message);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 3_000_001})
    void shouldReduce(long count) {
        List<Responses<AllReduceRequest, AllReduceResponse>> responses = new ArrayList<>();
        for (int rank = 0; rank < 4; rank++) {
            int me = rank;
            Responses<AllReduceRequest, AllReduceResponse> mine = Responses.all();
            responses.add(mine);
            StreamObserver<AllReduceRequest> requests = stubs.get(rank).allReduce(mine);
            List<ByteString> input = Messages.chunks(Tensors.ints(count, i -> i * (me + 1)), 1 << 20);
            Thread.ofVirtual()
                    .start(() -> write(
                            requests,
                            Messages.request(Messages.sum(Messages.rank(me), count)),
                            input,
                            data -> AllReduceRequest.newBuilder().setChunk(data).build()));
        }
        TensorView expected = Tensors.ints(count, i -> i * 10);
        for (Responses<AllReduceRequest, AllReduceResponse> mine : responses) {
            TensorView output = Tensors.empty(DataType.INT32, count);
            Completed end = read(
                    mine,
                    output,
                    AllReduceResponse::hasChunk,
                    AllReduceResponse::getChunk,
                    AllReduceResponse::getCompleted);
            assertEquals(count, end.getCount());
            Tensors.assertSame(expected, output);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 3_000_001})
    void shouldSendAndReceive(long count) {
        TensorView message = Tensors.ints(count, i -> i + 3);
        Responses<SendRequest, SendResponse> sent = Responses.all();
        StreamObserver<SendRequest> requests = stubs.get(0).send(sent);
        Responses<RecvRequest, RecvResponse> received = Responses.all();
        stubs.get(1)
                .recv(
                        RecvRequest.newBuilder()
                                .setCall(Messages.recv(Messages.rank(1), count, 0))
                                .build(),
                        received);
        write(
                requests,
                SendRequest.newBuilder()
                        .setCall(Messages.send(Messages.rank(0), count, 1))
                        .build(),
                Messages.chunks(message, 300_000),
                data -> SendRequest.newBuilder().setChunk(data).build());
        TensorView output = Tensors.empty(DataType.INT32, count);
        Completed end =
                read(received, output, RecvResponse::hasChunk, RecvResponse::getChunk, RecvResponse::getCompleted);
        Tensors.assertSame(message, output);
        assertEquals(0, end.getSource());
        assertEquals(count, end.getCount());
        sent.next();
        assertNull(sent.end());
    }

    @Test
    void shouldExchangeBySendRecv() {
        long count = 2_000_000;
        List<Responses<SendRecvRequest, SendRecvResponse>> responses = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            int me = rank;
            Responses<SendRecvRequest, SendRecvResponse> mine = Responses.all();
            responses.add(mine);
            SendRecvCall call = SendRecvCall.newBuilder()
                    .setHeader(Messages.rank(me))
                    .setSend(Messages.ints(count))
                    .setDestination(1 - me)
                    .setRecv(Messages.ints(count))
                    .setSource(1 - me)
                    .build();
            StreamObserver<SendRecvRequest> requests = stubs.get(rank).sendRecv(mine);
            List<ByteString> input = Messages.chunks(Tensors.ints(count, i -> me), 1 << 20);
            Thread.ofVirtual()
                    .start(() -> write(
                            requests,
                            SendRecvRequest.newBuilder().setCall(call).build(),
                            input,
                            data -> SendRecvRequest.newBuilder().setChunk(data).build()));
        }
        for (int rank = 0; rank < 2; rank++) {
            int other = 1 - rank;
            TensorView output = Tensors.empty(DataType.INT32, count);
            read(
                    responses.get(rank),
                    output,
                    SendRecvResponse::hasChunk,
                    SendRecvResponse::getChunk,
                    SendRecvResponse::getCompleted);
            Tensors.assertSame(Tensors.ints(count, i -> other), output);
        }
    }

    @Test
    void shouldBroadcast() {
        long count = 3_000_000;
        TensorView tensor = Tensors.ints(count, i -> i);
        List<Responses<BroadcastRequest, BroadcastResponse>> responses = new ArrayList<>();
        for (int rank = 0; rank < 4; rank++) {
            int me = rank;
            Responses<BroadcastRequest, BroadcastResponse> mine = Responses.all();
            responses.add(mine);
            BroadcastCall call = BroadcastCall.newBuilder()
                    .setHeader(Messages.rank(me))
                    .setTensor(Messages.ints(count))
                    .setRoot(3)
                    .build();
            StreamObserver<BroadcastRequest> requests = stubs.get(rank).broadcast(mine);
            List<ByteString> input = me == 3 ? Messages.chunks(tensor, 1 << 20) : List.of();
            Thread.ofVirtual()
                    .start(() -> write(
                            requests,
                            BroadcastRequest.newBuilder().setCall(call).build(),
                            input,
                            data -> BroadcastRequest.newBuilder().setChunk(data).build()));
        }
        for (int rank = 0; rank < 4; rank++) {
            TensorView output = Tensors.empty(DataType.INT32, rank == 3 ? 0 : count);
            read(
                    responses.get(rank),
                    output,
                    BroadcastResponse::hasChunk,
                    BroadcastResponse::getChunk,
                    BroadcastResponse::getCompleted);
            if (rank != 3) {
                Tensors.assertSame(tensor, output);
            }
        }
    }

    @Test
    void shouldPassABarrier() {
        List<Responses<BarrierRequest, BarrierResponse>> responses = new ArrayList<>();
        for (int rank = 0; rank < 4; rank++) {
            Responses<BarrierRequest, BarrierResponse> mine = Responses.all();
            responses.add(mine);
            BarrierCall call =
                    BarrierCall.newBuilder().setHeader(Messages.rank(rank)).build();
            stubs.get(rank).barrier(BarrierRequest.newBuilder().setCall(call).build(), mine);
        }
        responses.forEach(mine -> assertNull(mine.end()));
    }

    @Test
    void shouldMakeNumberedCallsInTheirOrder() {
        int calls = 8;
        List<Responses<BarrierRequest, BarrierResponse>> responses = new ArrayList<>();
        for (int rank = 0; rank < 4; rank++) {
            for (int number = 1; number <= calls; number++) {
                // Each rank's RPCs come in another order; by their names, a wrong pair would be found.
                int mine = rank % 2 == 0 ? number : calls + 1 - number;
                Responses<BarrierRequest, BarrierResponse> response = Responses.all();
                responses.add(response);
                BarrierCall call = BarrierCall.newBuilder()
                        .setHeader(Messages.rank(rank)
                                .setSession("job")
                                .setCallNumber(mine)
                                .setName("step " + mine))
                        .build();
                stubs.get(rank)
                        .barrier(BarrierRequest.newBuilder().setCall(call).build(), response);
            }
        }
        responses.forEach(response -> assertNull(response.end()));
    }

    @Test
    void shouldDescribeTheWorld() {
        Responses<GetWorldRequest, GetWorldResponse> response = Responses.all();
        stubs.get(0).getWorld(GetWorldRequest.getDefaultInstance(), response);
        GetWorldResponse world = response.next();
        assertEquals(4, world.getSize());
        assertEquals(4, world.getRanksCount());
        assertEquals(1 << 20, world.getLimits().getMaxChunkBytes());
        assertNull(response.end());
    }
}

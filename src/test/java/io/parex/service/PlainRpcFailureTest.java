package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Duration;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.parex.v1.AllReduceCall;
import io.parex.v1.AllReduceRequest;
import io.parex.v1.AllReduceResponse;
import io.parex.v1.BarrierCall;
import io.parex.v1.BarrierRequest;
import io.parex.v1.BarrierResponse;
import io.parex.v1.CallError;
import io.parex.v1.CallHeader;
import io.parex.v1.DataType;
import io.parex.v1.ErrorKind;
import io.parex.v1.ReduceOp;
import io.parex.v1.SendCall;
import io.parex.v1.SendRequest;
import io.parex.v1.SendResponse;
import io.parex.v1.Tensor;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What clients of plain RPCs get wrong, and what they are told. */
class PlainRpcFailureTest {
    private EdgeServer server;

    @BeforeEach
    void start() {
        server = new EdgeServer(
                2,
                new EdgeLimits(
                        64 << 20,
                        4 << 20,
                        256 << 10,
                        16,
                        java.time.Duration.ofMinutes(1),
                        java.time.Duration.ofMinutes(1)));
    }

    @AfterEach
    void stop() {
        // Whatever went wrong: nothing is left behind.
        Awaitility.await()
                .atMost(10, TimeUnit.SECONDS)
                .until(() -> server.edge().inFlight().count() == 0);
        assertEquals(0, server.edge().staging().usedBytes());
        server.close();
    }

    private Responses<AllReduceRequest, AllReduceResponse> reduce(AllReduceRequest... requests) {
        Responses<AllReduceRequest, AllReduceResponse> responses = Responses.all();
        StreamObserver<AllReduceRequest> stream = server.stub().allReduce(responses);
        List.of(requests).forEach(stream::onNext);
        return responses;
    }

    private static AllReduceRequest chunk(int bytes) {
        return AllReduceRequest.newBuilder().setChunk(Messages.bytes(bytes)).build();
    }

    private static AllReduceRequest sum(long count) {
        return Messages.request(Messages.sum(Messages.rank(0), count));
    }

    private static void assertFails(Responses<?, ?> responses, Status.Code code, ErrorKind kind, String text) {
        CallError error = responses.failure(code);
        assertEquals(kind, error.getKind());
        assertTrue(error.getMessage().contains(text), error::getMessage);
    }

    private static void assertArgument(Responses<?, ?> responses, String text) {
        assertFails(responses, Status.Code.INVALID_ARGUMENT, ErrorKind.ERROR_KIND_ARGUMENT, text);
    }

    @Test
    void shouldNameTheHostedRanksWhereTheRankIsMissing() {
        assertArgument(reduce(Messages.request(Messages.sum(CallHeader.newBuilder(), 1))), "hosts several: 0, 1");
        assertArgument(reduce(Messages.request(Messages.sum(Messages.rank(7), 1))), "rank 7 is not hosted");
    }

    @Test
    void shouldNameTheGroupsOfTheRank() {
        assertArgument(
                reduce(Messages.request(Messages.sum(Messages.rank(0).setGroup("odd"), 1))),
                "there is no group 'odd' on rank 0; its groups: world");
    }

    /** The other members have called or will: they hear at once, and all keep their order. */
    @Test
    void shouldFailACallThatCannotBeMeantOnAllMembers() {
        AllReduceCall good = Messages.sum(Messages.rank(0), 1);
        List<AllReduceCall> wrong = List.of(
                good.toBuilder().setOpValue(0).build(),
                good.toBuilder().setTensor(Tensor.newBuilder().setCount(1)).build(),
                good.toBuilder()
                        .setTensor(good.getTensor().toBuilder().setCount(-1))
                        .build(),
                good.toBuilder()
                        .setHeader(Messages.rank(0)
                                .setTimeout(Duration.newBuilder().setSeconds(-1)))
                        .build());
        for (AllReduceCall call : wrong) {
            Responses<AllReduceRequest, AllReduceResponse> bad = reduce(Messages.request(call));
            Responses<AllReduceRequest, AllReduceResponse> other =
                    reduce(Messages.request(Messages.sum(Messages.rank(1), 1)), chunk(Float.BYTES));
            CallError told = Details.callError(bad.end());
            assertEquals(told.getKind(), Details.callError(other.end()).getKind(), told.getMessage());
            assertTrue(!told.getNotStarted(), told.getMessage());
        }
        Responses<AllReduceRequest, AllReduceResponse> first = reduce(sum(1), chunk(Float.BYTES));
        Responses<AllReduceRequest, AllReduceResponse> second =
                reduce(Messages.request(Messages.sum(Messages.rank(1), 1)), chunk(Float.BYTES));
        assertEquals(null, first.end());
        assertEquals(null, second.end());
    }

    @Test
    void shouldRefuseUnknownTypesAndOps() {
        AllReduceCall call = Messages.sum(Messages.rank(0), 1);
        Tensor carried = Tensor.newBuilder()
                .setDtype(DataType.DATA_TYPE_FLOAT8_E4M3)
                .setCount(1)
                .build();
        assertFails(
                reduce(Messages.request(call.toBuilder().setTensor(carried).build())),
                Status.Code.UNIMPLEMENTED,
                ErrorKind.ERROR_KIND_UNSUPPORTED,
                "sum of float8_e4m3");
        assertFails(
                reduce(Messages.request(call.toBuilder().setOpValue(77).build())),
                Status.Code.UNIMPLEMENTED,
                ErrorKind.ERROR_KIND_UNSUPPORTED,
                "not computed");
        assertFails(
                reduce(Messages.request(call.toBuilder()
                        .setOp(ReduceOp.REDUCE_OP_BXOR)
                        .setTensor(Tensor.newBuilder()
                                .setDtype(DataType.DATA_TYPE_FLOAT32)
                                .setCount(1))
                        .build())),
                Status.Code.UNIMPLEMENTED,
                ErrorKind.ERROR_KIND_UNSUPPORTED,
                "bxor");
        assertArgument(reduce(Messages.request(call.toBuilder().clearOp().build())), "op is missing");
        assertArgument(reduce(Messages.request(call.toBuilder().clearTensor().build())), "dtype is missing");
    }

    @Test
    void shouldRefuseBadChunks() {
        assertArgument(reduce(sum(100), chunk(10)), "not a whole number of elements");
        assertArgument(reduce(sum(100), chunk(396), chunk(8)), "goes beyond the 400 bytes");
        assertArgument(reduce(sum(1 << 20), chunk((1 << 20) + 4)), "larger than the 1048576 taken");
        assertArgument(reduce(chunk(4)), "the first message must be the call");
        assertArgument(reduce(sum(100), sum(100)), "only chunks may follow");
    }

    /** C105: gRPC's own limit, which ends the RPC before the service sees the message. */
    @Test
    void shouldNameTheLimitOfAMessage() {
        Throwable failure = reduce(sum(1 << 21), chunk(5 << 20)).end();
        assertEquals(
                Status.Code.RESOURCE_EXHAUSTED, Status.fromThrowable(failure).getCode());
        assertTrue(failure.getMessage().contains("4194304"), failure::getMessage);
    }

    @Test
    void shouldRefuseAnInputThatEndsEarly() {
        Responses<AllReduceRequest, AllReduceResponse> responses = Responses.all();
        StreamObserver<AllReduceRequest> stream = server.stub().allReduce(responses);
        stream.onNext(sum(100));
        stream.onNext(chunk(200));
        stream.onCompleted();
        assertArgument(responses, "the input ended after 200 of 400 bytes");
    }

    @Test
    void shouldRefuseWhatStagingDoesNotHold() {
        assertFails(
                reduce(sum(1 << 28)),
                Status.Code.RESOURCE_EXHAUSTED,
                ErrorKind.ERROR_KIND_OVERLOADED,
                "the call needs 1073741824 bytes of staging memory, 0 of the 67108864 allowed");
    }

    @Test
    void shouldRefuseWrongRanksAndTimeouts() {
        Responses<SendRequest, SendResponse> responses = Responses.all();
        server.stub()
                .send(responses)
                .onNext(SendRequest.newBuilder()
                        .setCall(Messages.send(Messages.rank(0), 1, 5))
                        .build());
        assertArgument(responses, "destination 5 is not a rank of the group, which has 2");
        Responses<SendRequest, SendResponse> missing = Responses.all();
        server.stub()
                .send(missing)
                .onNext(SendRequest.newBuilder()
                        .setCall(SendCall.newBuilder()
                                .setHeader(Messages.rank(0))
                                .setTensor(Messages.ints(1)))
                        .build());
        assertArgument(missing, "destination is missing");
        assertArgument(
                reduce(Messages.request(Messages.sum(Messages.rank(0).setTimeout(Duration.getDefaultInstance()), 1))),
                "a timeout of 0 s is not positive");
    }

    @Test
    void shouldTellBothRanksOfAMismatch() {
        Responses<AllReduceRequest, AllReduceResponse> one = reduce(sum(1), chunk(4));
        Responses<AllReduceRequest, AllReduceResponse> other =
                reduce(Messages.request(Messages.sum(Messages.rank(1), 2)), chunk(8));
        for (Responses<AllReduceRequest, AllReduceResponse> each : List.of(one, other)) {
            assertFails(each, Status.Code.FAILED_PRECONDITION, ErrorKind.ERROR_KIND_MISMATCH, "make different calls");
        }
    }

    private Responses<BarrierRequest, BarrierResponse> barrier(CallHeader.Builder header) {
        Responses<BarrierRequest, BarrierResponse> responses = Responses.all();
        server.stub()
                .barrier(
                        BarrierRequest.newBuilder()
                                .setCall(BarrierCall.newBuilder().setHeader(header))
                                .build(),
                        responses);
        return responses;
    }

    @Test
    void shouldEndACallAtItsTimeout() {
        Duration timeout = Duration.newBuilder().setNanos(100_000_000).build();
        assertFails(
                barrier(Messages.rank(0).setTimeout(timeout)),
                Status.Code.DEADLINE_EXCEEDED,
                ErrorKind.ERROR_KIND_TIMEOUT,
                "barrier");
    }

    @Test
    void shouldEndACallAtTheDeadlineOfItsRpc() {
        Responses<BarrierRequest, BarrierResponse> late = Responses.all();
        server.stub()
                .withDeadlineAfter(200, TimeUnit.MILLISECONDS)
                .barrier(
                        BarrierRequest.newBuilder()
                                .setCall(BarrierCall.newBuilder().setHeader(Messages.rank(0)))
                                .build(),
                        late);
        assertEquals(
                Status.Code.DEADLINE_EXCEEDED, Status.fromThrowable(late.end()).getCode());
        // The call has failed for its peer, too, which makes it only now.
        assertTrue(List.of(ErrorKind.ERROR_KIND_TIMEOUT, ErrorKind.ERROR_KIND_CANCELLED)
                .contains(kind(barrier(Messages.rank(1)))));
    }

    private static ErrorKind kind(Responses<?, ?> responses) {
        return Details.callError(responses.end()).getKind();
    }

    @Test
    void shouldEndTheCallOfAClientThatCancels() {
        Responses<BarrierRequest, BarrierResponse> cancelled = barrier(Messages.rank(0));
        Awaitility.await().until(() -> server.edge().ranks().worlds().getFirst().inFlight() == 1);
        cancelled.kill();
        CallError error = barrier(Messages.rank(1)).failure(Status.Code.CANCELLED);
        assertTrue(error.getMessage().contains("client of rank 0 cancelled the RPC"), error::getMessage);
    }

    @Test
    void shouldRefuseARepeatedNumberAndGoOn() {
        CallHeader.Builder first = Messages.rank(0).setSession("s").setCallNumber(1);
        Responses<BarrierRequest, BarrierResponse> call = barrier(first);
        Awaitility.await().until(() -> server.edge().ranks().worlds().getFirst().inFlight() == 1);
        assertArgument(barrier(first), "call number 1 of session 's' was used before");
        barrier(Messages.rank(1));
        call.next();
    }

    @Test
    void shouldRefuseCallsWhileShuttingDown() {
        server.edge().inFlight().close();
        assertFails(
                barrier(Messages.rank(0)), Status.Code.UNAVAILABLE, ErrorKind.ERROR_KIND_UNAVAILABLE, "shutting down");
    }
}

package io.parex.service;

import io.grpc.stub.StreamObserver;
import io.parex.v1.AllGatherRequest;
import io.parex.v1.AllGatherResponse;
import io.parex.v1.AllReduceRequest;
import io.parex.v1.AllReduceResponse;
import io.parex.v1.AllToAllRequest;
import io.parex.v1.AllToAllResponse;
import io.parex.v1.BarrierRequest;
import io.parex.v1.BarrierResponse;
import io.parex.v1.BroadcastRequest;
import io.parex.v1.BroadcastResponse;
import io.parex.v1.ClientMessage;
import io.parex.v1.CloseGroupRequest;
import io.parex.v1.CloseGroupResponse;
import io.parex.v1.CreateGroupRequest;
import io.parex.v1.CreateGroupResponse;
import io.parex.v1.GatherRequest;
import io.parex.v1.GatherResponse;
import io.parex.v1.GetWorldRequest;
import io.parex.v1.GetWorldResponse;
import io.parex.v1.ParexGrpc;
import io.parex.v1.RecoverRequest;
import io.parex.v1.RecoverResponse;
import io.parex.v1.RecvRequest;
import io.parex.v1.RecvResponse;
import io.parex.v1.ReduceRequest;
import io.parex.v1.ReduceResponse;
import io.parex.v1.ReduceScatterRequest;
import io.parex.v1.ReduceScatterResponse;
import io.parex.v1.ScatterRequest;
import io.parex.v1.ScatterResponse;
import io.parex.v1.SendRecvRequest;
import io.parex.v1.SendRecvResponse;
import io.parex.v1.SendRequest;
import io.parex.v1.SendResponse;
import io.parex.v1.ServerMessage;
import io.quarkus.grpc.GrpcService;
import jakarta.inject.Provider;

/**
 * The service {@code parex.v1.Parex}. Its methods only set up the stream they are called for: nothing here waits, so
 * they may run on event loops. It is written against grpc-java's own interface for its flow control: which message is
 * asked for when, and whether the stream takes another, is decided call by call.
 */
@GrpcService
class ParexGrpcService extends ParexGrpc.ParexImplBase {
    private final Provider<Edge> edge;

    /**
     * Serves an edge.
     *
     * @param edge asked for by the first call, not before: making it takes a while, and the one who makes this service
     *     is an event loop
     */
    ParexGrpcService(Provider<Edge> edge) {
        this.edge = edge;
    }

    @Override
    public StreamObserver<ClientMessage> session(StreamObserver<ServerMessage> responses) {
        return new SessionCall(edge.get(), responses);
    }

    @Override
    public void getWorld(GetWorldRequest request, StreamObserver<GetWorldResponse> response) {
        response.onNext(Descriptions.world(edge.get()));
        response.onCompleted();
    }

    @Override
    public StreamObserver<SendRequest> send(StreamObserver<SendResponse> response) {
        return new PlainCall<>(edge.get(), PlainCodec.SEND, response).reading();
    }

    @Override
    public void recv(RecvRequest request, StreamObserver<RecvResponse> responses) {
        new PlainCall<>(edge.get(), PlainCodec.RECV, responses).only(request);
    }

    @Override
    public StreamObserver<SendRecvRequest> sendRecv(StreamObserver<SendRecvResponse> responses) {
        return new PlainCall<>(edge.get(), PlainCodec.SEND_RECV, responses).reading();
    }

    @Override
    public void barrier(BarrierRequest request, StreamObserver<BarrierResponse> response) {
        new PlainCall<>(edge.get(), PlainCodec.BARRIER, response).only(request);
    }

    @Override
    public StreamObserver<BroadcastRequest> broadcast(StreamObserver<BroadcastResponse> responses) {
        return new PlainCall<>(edge.get(), PlainCodec.BROADCAST, responses).reading();
    }

    @Override
    public StreamObserver<AllReduceRequest> allReduce(StreamObserver<AllReduceResponse> responses) {
        return new PlainCall<>(edge.get(), PlainCodec.ALL_REDUCE, responses).reading();
    }

    @Override
    public StreamObserver<ScatterRequest> scatter(StreamObserver<ScatterResponse> responses) {
        return new PlainCall<>(edge.get(), PlainCodec.SCATTER, responses).reading();
    }

    @Override
    public StreamObserver<GatherRequest> gather(StreamObserver<GatherResponse> responses) {
        return new PlainCall<>(edge.get(), PlainCodec.GATHER, responses).reading();
    }

    @Override
    public StreamObserver<AllGatherRequest> allGather(StreamObserver<AllGatherResponse> responses) {
        return new PlainCall<>(edge.get(), PlainCodec.ALL_GATHER, responses).reading();
    }

    @Override
    public StreamObserver<ReduceRequest> reduce(StreamObserver<ReduceResponse> responses) {
        return new PlainCall<>(edge.get(), PlainCodec.REDUCE, responses).reading();
    }

    @Override
    public StreamObserver<ReduceScatterRequest> reduceScatter(StreamObserver<ReduceScatterResponse> responses) {
        return new PlainCall<>(edge.get(), PlainCodec.REDUCE_SCATTER, responses).reading();
    }

    @Override
    public StreamObserver<AllToAllRequest> allToAll(StreamObserver<AllToAllResponse> responses) {
        return new PlainCall<>(edge.get(), PlainCodec.ALL_TO_ALL, responses).reading();
    }

    @Override
    public void recover(RecoverRequest request, StreamObserver<RecoverResponse> response) {
        new RecoverCall(edge.get(), response).start(request);
    }

    @Override
    public void createGroup(CreateGroupRequest request, StreamObserver<CreateGroupResponse> response) {
        new GroupCalls(edge.get()).create(request, response);
    }

    @Override
    public void closeGroup(CloseGroupRequest request, StreamObserver<CloseGroupResponse> response) {
        new GroupCalls(edge.get()).close(request, response);
    }
}

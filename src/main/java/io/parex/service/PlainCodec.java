package io.parex.service;

import com.google.protobuf.ByteString;
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
import io.parex.v1.CallHeader;
import io.parex.v1.Completed;
import io.parex.v1.GatherRequest;
import io.parex.v1.GatherResponse;
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
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The messages of one plain RPC, which differ in their types only.
 *
 * @param <Q> request
 * @param <S> response
 * @param isCall whether a request is the call
 * @param isChunk whether a request is a chunk
 * @param header of a call
 * @param plan reads a call
 * @param chunk of a request
 * @param part the response that carries a chunk, null if there is none
 * @param completed the response that carries the outcome
 */
record PlainCodec<Q, S>(
        Predicate<Q> isCall,
        Predicate<Q> isChunk,
        Function<Q, CallHeader> header,
        BiFunction<CallReader, Q, CallPlan> plan,
        Function<Q, ByteString> chunk,
        Function<ByteString, S> part,
        Function<Completed, S> completed) {

    static final PlainCodec<SendRequest, SendResponse> SEND = new PlainCodec<>(
            SendRequest::hasCall,
            SendRequest::hasChunk,
            request -> request.getCall().getHeader(),
            (reader, request) -> reader.send(request.getCall()),
            SendRequest::getChunk,
            null,
            outcome -> SendResponse.newBuilder().setCompleted(outcome).build());

    static final PlainCodec<RecvRequest, RecvResponse> RECV = new PlainCodec<>(
            RecvRequest::hasCall,
            request -> false,
            request -> request.getCall().getHeader(),
            (reader, request) -> reader.recv(request.getCall()),
            null,
            part -> RecvResponse.newBuilder().setChunk(part).build(),
            outcome -> RecvResponse.newBuilder().setCompleted(outcome).build());

    static final PlainCodec<SendRecvRequest, SendRecvResponse> SEND_RECV = new PlainCodec<>(
            SendRecvRequest::hasCall,
            SendRecvRequest::hasChunk,
            request -> request.getCall().getHeader(),
            (reader, request) -> reader.sendRecv(request.getCall()),
            SendRecvRequest::getChunk,
            part -> SendRecvResponse.newBuilder().setChunk(part).build(),
            outcome -> SendRecvResponse.newBuilder().setCompleted(outcome).build());

    static final PlainCodec<BarrierRequest, BarrierResponse> BARRIER = new PlainCodec<>(
            // All fields of a barrier are optional, and so is the message that holds them.
            request -> true,
            request -> false,
            request -> request.getCall().getHeader(),
            (reader, request) -> reader.barrier(request.getCall()),
            null,
            null,
            outcome -> BarrierResponse.newBuilder().setCompleted(outcome).build());

    static final PlainCodec<BroadcastRequest, BroadcastResponse> BROADCAST = new PlainCodec<>(
            BroadcastRequest::hasCall,
            BroadcastRequest::hasChunk,
            request -> request.getCall().getHeader(),
            (reader, request) -> reader.broadcast(request.getCall()),
            BroadcastRequest::getChunk,
            part -> BroadcastResponse.newBuilder().setChunk(part).build(),
            outcome -> BroadcastResponse.newBuilder().setCompleted(outcome).build());

    static final PlainCodec<AllReduceRequest, AllReduceResponse> ALL_REDUCE = new PlainCodec<>(
            AllReduceRequest::hasCall,
            AllReduceRequest::hasChunk,
            request -> request.getCall().getHeader(),
            (reader, request) -> reader.allReduce(request.getCall()),
            AllReduceRequest::getChunk,
            part -> AllReduceResponse.newBuilder().setChunk(part).build(),
            outcome -> AllReduceResponse.newBuilder().setCompleted(outcome).build());

    static final PlainCodec<ScatterRequest, ScatterResponse> SCATTER = new PlainCodec<>(
            ScatterRequest::hasCall,
            ScatterRequest::hasChunk,
            request -> request.getCall().getHeader(),
            (reader, request) -> reader.scatter(request.getCall()),
            ScatterRequest::getChunk,
            part -> ScatterResponse.newBuilder().setChunk(part).build(),
            outcome -> ScatterResponse.newBuilder().setCompleted(outcome).build());

    static final PlainCodec<GatherRequest, GatherResponse> GATHER = new PlainCodec<>(
            GatherRequest::hasCall,
            GatherRequest::hasChunk,
            request -> request.getCall().getHeader(),
            (reader, request) -> reader.gather(request.getCall()),
            GatherRequest::getChunk,
            part -> GatherResponse.newBuilder().setChunk(part).build(),
            outcome -> GatherResponse.newBuilder().setCompleted(outcome).build());

    static final PlainCodec<AllGatherRequest, AllGatherResponse> ALL_GATHER = new PlainCodec<>(
            AllGatherRequest::hasCall,
            AllGatherRequest::hasChunk,
            request -> request.getCall().getHeader(),
            (reader, request) -> reader.allGather(request.getCall()),
            AllGatherRequest::getChunk,
            part -> AllGatherResponse.newBuilder().setChunk(part).build(),
            outcome -> AllGatherResponse.newBuilder().setCompleted(outcome).build());

    static final PlainCodec<ReduceRequest, ReduceResponse> REDUCE = new PlainCodec<>(
            ReduceRequest::hasCall,
            ReduceRequest::hasChunk,
            request -> request.getCall().getHeader(),
            (reader, request) -> reader.reduce(request.getCall()),
            ReduceRequest::getChunk,
            part -> ReduceResponse.newBuilder().setChunk(part).build(),
            outcome -> ReduceResponse.newBuilder().setCompleted(outcome).build());

    static final PlainCodec<ReduceScatterRequest, ReduceScatterResponse> REDUCE_SCATTER = new PlainCodec<>(
            ReduceScatterRequest::hasCall,
            ReduceScatterRequest::hasChunk,
            request -> request.getCall().getHeader(),
            (reader, request) -> reader.reduceScatter(request.getCall()),
            ReduceScatterRequest::getChunk,
            part -> ReduceScatterResponse.newBuilder().setChunk(part).build(),
            outcome -> ReduceScatterResponse.newBuilder().setCompleted(outcome).build());

    static final PlainCodec<AllToAllRequest, AllToAllResponse> ALL_TO_ALL = new PlainCodec<>(
            AllToAllRequest::hasCall,
            AllToAllRequest::hasChunk,
            request -> request.getCall().getHeader(),
            (reader, request) -> reader.allToAll(request.getCall()),
            AllToAllRequest::getChunk,
            part -> AllToAllResponse.newBuilder().setChunk(part).build(),
            outcome -> AllToAllResponse.newBuilder().setCompleted(outcome).build());
}

package io.parex.service;

import com.google.protobuf.ByteString;
import io.parex.v1.AllReduceRequest;
import io.parex.v1.AllReduceResponse;
import io.parex.v1.BarrierRequest;
import io.parex.v1.BarrierResponse;
import io.parex.v1.BroadcastRequest;
import io.parex.v1.BroadcastResponse;
import io.parex.v1.CallHeader;
import io.parex.v1.Completed;
import io.parex.v1.RecvRequest;
import io.parex.v1.RecvResponse;
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
}

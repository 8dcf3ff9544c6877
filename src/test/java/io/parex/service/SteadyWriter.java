package io.parex.service;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.parex.v1.ParexGrpc;
import io.parex.v1.SendRequest;
import io.parex.v1.SendResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Sends a {@link Pattern} by a plain RPC, each chunk as soon as the stream takes it, and never stops by itself. */
final class SteadyWriter implements ClientResponseObserver<SendRequest, SendResponse> {
    private static final int CHUNK_ELEMENTS = 64 << 10;

    private final long count;
    private final SendRequest call;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private ClientCallStreamObserver<SendRequest> stream;
    private boolean called;
    private volatile long written;

    private SteadyWriter(long count, SendRequest call) {
        this.count = count;
        this.call = call;
    }

    /** Sends {@code count} elements from {@code rank} to {@code destination}. */
    static SteadyWriter start(ParexGrpc.ParexStub stub, long count, int rank, int destination) {
        SteadyWriter writer = new SteadyWriter(
                count,
                SendRequest.newBuilder()
                        .setCall(Messages.send(Messages.rank(rank), count, destination))
                        .build());
        stub.send(writer);
        return writer;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<SendRequest> requests) {
        stream = requests;
        stream.setOnReadyHandler(this::write);
    }

    /** On gRPC's thread, the call too: a stream takes messages of one thread at a time. */
    private void write() {
        if (!called) {
            called = true;
            stream.onNext(call);
        }
        while (written < count && stream.isReady()) {
            int length = (int) Math.min(CHUNK_ELEMENTS, count - written);
            stream.onNext(SendRequest.newBuilder()
                    .setChunk(Pattern.chunk(written, length))
                    .build());
            written += length;
            if (written == count) {
                stream.onCompleted();
            }
        }
    }

    /** Bytes that the stream has taken. */
    long writtenBytes() {
        return 4 * written;
    }

    /** Waits for the good end. */
    void awaitEnd() {
        end.orTimeout(60, TimeUnit.SECONDS).join();
    }

    @Override
    public void onNext(SendResponse response) {
        // The end says it all.
    }

    @Override
    public void onError(Throwable error) {
        end.completeExceptionally(error);
    }

    @Override
    public void onCompleted() {
        end.complete(null);
    }
}

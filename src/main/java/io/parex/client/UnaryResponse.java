package io.parex.client;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.smallrye.mutiny.Uni;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The one response of an RPC that is not part of the session. */
final class UnaryResponse<Q, S, R> implements ClientResponseObserver<Q, S> {
    private final String rpc;
    private final Function<S, R> reader;
    private final CompletableFuture<R> answer = new CompletableFuture<>();
    private ClientCallStreamObserver<Q> call;

    /** The response of {@code rpc}, which {@code reader} reads on the I/O thread. */
    UnaryResponse(String rpc, Function<S, R> reader) {
        this.rpc = rpc;
        this.reader = reader;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<Q> started) {
        call = started;
    }

    @Override
    public void onNext(S response) {
        answer.complete(reader.apply(response));
    }

    @Override
    public void onError(Throwable error) {
        answer.completeExceptionally(Failures.of(rpc, error));
    }

    @Override
    public void onCompleted() {
        // The one response was enough.
    }

    /** What came of it, for any number of subscribers. */
    Uni<R> outcome() {
        return Outcomes.of(answer);
    }

    /** Breaks the RPC off. */
    void cancel() {
        call.cancel("cancelled by the caller", null);
    }
}

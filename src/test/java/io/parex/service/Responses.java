package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.parex.v1.CallError;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The client's end of an RPC in a test: gives the messages one by one, and the end; reads no more than it is told to.
 */
final class Responses<Q, S> implements ClientResponseObserver<Q, S> {
    private static final long LIMIT_SECONDS = 20;

    private final BlockingQueue<S> messages = new LinkedBlockingQueue<>();
    private final CompletableFuture<Throwable> end = new CompletableFuture<>();
    private final boolean reading;
    private ClientCallStreamObserver<Q> call;

    private Responses(boolean reading) {
        this.reading = reading;
    }

    /** Reads whatever comes. */
    static <Q, S> Responses<Q, S> all() {
        return new Responses<>(true);
    }

    /** Reads what is asked for with {@link #read}. */
    static <Q, S> Responses<Q, S> asked() {
        return new Responses<>(false);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<Q> requests) {
        call = requests;
        if (!reading) {
            requests.disableAutoRequestWithInitial(0);
        }
    }

    void read(int count) {
        call.request(count);
    }

    /** Breaks the RPC off, as the death of the client would. */
    void kill() {
        call.cancel("killed", null);
    }

    @Override
    public void onNext(S message) {
        messages.add(message);
    }

    @Override
    public void onError(Throwable error) {
        end.complete(error);
    }

    @Override
    public void onCompleted() {
        end.complete(null);
    }

    /** The next message; fails after some seconds. */
    S next() {
        try {
            S message = messages.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
            assertNotNull(message, () -> "no message; the RPC has ended: " + end.getNow(null));
            return message;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether a message is there already. */
    boolean hasNext() {
        return !messages.isEmpty();
    }

    /** The failure that the RPC ended with, null if it ended well; fails after some seconds. */
    Throwable end() {
        return end.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
    }

    /** Asserts that the RPC ends with {@code code} and gives what the details say. */
    CallError failure(Status.Code code) {
        Throwable error = end();
        assertNotNull(error, "the RPC has ended well");
        assertEquals(code, Status.fromThrowable(error).getCode(), error::toString);
        return Details.callError(error);
    }
}

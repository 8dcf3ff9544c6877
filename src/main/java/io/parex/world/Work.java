package io.parex.world;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.schedule.Primitive;
import io.parex.transport.MutinySetup;
import io.parex.transport.OwnerLoop;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The handle of a started operation. The tensors given to the operation belong to it until the handle is done, well or
 * not; done also means that nothing refers to their memory any more. Progress does not depend on anyone waiting. Any
 * thread.
 */
public final class Work {
    static {
        MutinySetup.ensure();
    }

    private final Primitive primitive;
    private final OwnerLoop loop;
    private final CompletableFuture<Completion> result = new CompletableFuture<>();
    private Operation operation;
    private volatile boolean refused;

    Work(Primitive primitive, OwnerLoop loop) {
        this.primitive = primitive;
        this.loop = loop;
    }

    /** What was started. */
    public Primitive primitive() {
        return primitive;
    }

    /** Whether it has ended, well or not. */
    public boolean isDone() {
        return result.isDone();
    }

    /**
     * Waits until the operation ends, at the latest at its own deadline. As often as one likes, from any thread but an
     * owner loop.
     *
     * @throws ParexException if the operation failed
     */
    public Completion await() {
        refuseOnLoop();
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /**
     * Waits for at most {@code limit}; the operation goes on after that.
     *
     * @throws ParexException if the operation failed, or of kind {@code timeout} if it has not ended
     */
    public Completion await(Duration limit) {
        refuseOnLoop();
        try {
            return result.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (TimeoutException e) {
            throw new ParexException(
                    ErrorKind.TIMEOUT,
                    primitive.label() + " has not ended within the " + limit + " waited for; it goes on",
                    e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /**
     * Ends the operation with kind {@code cancelled}. A collective fails on all members, a point-to-point operation for
     * its partner too if it has matched. Returns at once; does nothing when the operation has ended.
     */
    public void cancel(String reason) {
        loop.execute(() -> {
            if (operation != null && !isDone()) {
                operation.fail(ErrorKind.CANCELLED, "cancelled: " + reason);
            }
        });
    }

    /**
     * The outcome. The operation is running already and goes on whether or not this is subscribed to or cancelled.
     * Completes on the rank's owner loop; fails with {@link ParexException} only.
     */
    public Uni<Completion> completion() {
        // Of a copy: cancelling a subscription cancels the stage it is made of.
        return Uni.createFrom()
                .completionStage(result::copy)
                .onFailure(CompletionException.class)
                .transform(Throwable::getCause);
    }

    /**
     * Whether a failed operation was refused without being started: it has no place in the order of calls, and may be
     * made again. Of meaning once it is done. Any thread.
     */
    public boolean wasRefused() {
        return refused;
    }

    void markRefused() {
        refused = true;
    }

    /** Owner loop: what carries the operation out. */
    void carriedOutBy(Operation executor) {
        operation = executor;
    }

    /** Owner loop: what carries the operation out, null before. */
    Operation executor() {
        return operation;
    }

    void complete(Completion completion) {
        result.complete(completion);
    }

    void fail(ParexException failure) {
        result.completeExceptionally(failure);
    }

    private void refuseOnLoop() {
        if (loop.inLoop() && !isDone()) {
            throw ParexException.argument(
                    "waiting for a " + primitive.label() + " on the owner loop would stop the rank; use completion()");
        }
    }

    /** A fresh exception for each waiter, so that its stack trace is the waiter's. */
    private static ParexException failure(Throwable cause) {
        if (cause instanceof ParexException known) {
            ParexException fresh = new ParexException(known.kind(), known.getMessage(), known);
            return known.wasRefused() ? fresh.asRefused() : fresh;
        }
        return new ParexException(ErrorKind.PROTOCOL, "internal error: " + cause, cause);
    }

    private ParexException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new ParexException(
                ErrorKind.CANCELLED,
                "interrupted while waiting for " + primitive.label() + "; the operation goes on",
                e);
    }
}

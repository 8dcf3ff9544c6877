package io.parex.client;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.operators.AbstractUni;
import io.smallrye.mutiny.subscription.UniSubscriber;

/**
 * The handle of an operation of a {@link ParexClient}: a {@code Uni} of its outcome, which can also be cancelled. The
 * operation runs whether or not this is subscribed to, and any number of subscribers get the same outcome. Any thread.
 */
public final class ClientWork extends AbstractUni<Completion> {
    private final Session session;
    private final ClientOperation operation;
    private final Uni<Completion> outcome;

    /** The handle of an operation that {@code session} runs. */
    ClientWork(Session session, ClientOperation operation) {
        this.session = session;
        this.operation = operation;
        this.outcome = operation.outcome();
    }

    private ClientWork(ParexException refusal) {
        this.session = null;
        this.operation = null;
        this.outcome = Uni.createFrom().failure(refusal);
    }

    /** The handle of an operation that was not started. */
    static ClientWork refused(ParexException refusal) {
        return new ClientWork(refusal);
    }

    /**
     * Ends the operation with kind {@link ErrorKind#CANCELLED}: a collective on all members, a point-to-point operation
     * for its partner too if it has matched. Returns at once; the tensors belong to the operation until this has
     * completed, which it does when the rank has answered. An operation that ends meanwhile ends as it would have, and
     * one that has ended is left alone. The session can be used. Cancelling a subscription, by contrast, only stops
     * listening.
     *
     * @param reason named in the errors of all who took part; empty: none
     */
    public void cancel(String reason) {
        Arguments.given(reason, "reason");
        if (session != null) {
            session.cancel(operation, reason);
        }
    }

    /** Whether it has ended, well or not. */
    public boolean isDone() {
        return operation == null || operation.isDone();
    }

    @Override
    public void subscribe(UniSubscriber<? super Completion> subscriber) {
        AbstractUni.subscribe(outcome, subscriber);
    }
}

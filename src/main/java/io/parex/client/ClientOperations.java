package io.parex.client;

import io.parex.ParexException;
import io.parex.tensor.TensorView;
import io.parex.v1.RecoverRequest;
import io.parex.v1.RecoverResponse;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What a client calls on a group: messages and collectives. Ranks are ranks in the group. When operations start, whose
 * the tensors are, and how they fail: see {@link ParexClient}.
 */
public abstract sealed class ClientOperations extends ClientCollectives permits ParexClient, ClientGroup {
    private final Connection connection;
    private volatile Epoch epoch;

    ClientOperations(Connection connection, Epoch epoch) {
        this.connection = connection;
        this.epoch = epoch;
    }

    Connection connection() {
        return connection;
    }

    /**
     * Sum of the generations of all members, as this client knows it from the opening of the session, the creation of
     * the group or the last {@link #recover}; 0 if not all ranks were known when the session was opened. Every call
     * says it: the rank refuses it with kind {@code aborted} if a member was started again since, or the group was
     * recovered by another client.
     */
    public long epoch() {
        return epoch.number();
    }

    /**
     * Sends {@code tensor} to {@code destination} with the options' tag. Above 64 KiB it is done when the receiver has
     * taken it; two ranks that both wait for such a send before they receive wait until the timeout: use
     * {@link #sendRecv} or {@link #batch}.
     */
    public ClientWork send(TensorView tensor, int destination, ClientOptions call) {
        return start(() -> sending(tensor, destination, given(call).tag(), call));
    }

    /** The same as {@link #send}, which does not wait either. */
    public ClientWork isend(TensorView tensor, int destination, ClientOptions call) {
        return send(tensor, destination, call);
    }

    /** Receives into {@code tensor} a message of exactly its type and size with the options' tag. */
    public ClientWork recv(TensorView tensor, int source, ClientOptions call) {
        return start(() -> receiving(tensor, source, given(call).tag(), call));
    }

    /** The same as {@link #recv}, which does not wait either. */
    public ClientWork irecv(TensorView tensor, int source, ClientOptions call) {
        return recv(tensor, source, call);
    }

    /** Sends and receives at once; the tags are those of the two transfers. Never waits for its own other half. */
    public ClientWork sendRecv(Transfer send, Transfer recv, ClientOptions call) {
        return start(() -> {
            if (!Arguments.given(send, "send").sends()
                    || Arguments.given(recv, "receive").sends()) {
                throw ParexException.argument("send_recv takes one send and one receive, in this order");
            }
            TensorView input = Arguments.readable(send.tensor());
            TensorView output = Arguments.writable(recv.tensor());
            return new ClientOperation(Calls.sendRecv(send, recv, given(call), epoch), input, output)
                    .snapshot(connection.options().snapshotBytes());
        });
    }

    /**
     * Submits sends and receives as one; each ends alone, in whatever order both sides listed them. If one of them has
     * a wrong argument all of them fail with it, and none is started.
     *
     * @throws ParexException of kind {@code argument} if there is no list: nothing else could fail
     */
    public List<ClientWork> batch(List<Transfer> transfers, ClientOptions call) {
        Arguments.given(transfers, "list of transfers");
        List<ClientOperation> operations = new ArrayList<>(transfers.size());
        try {
            for (Transfer each : transfers) {
                operations.add(part(each, call));
            }
        } catch (ParexException e) {
            ClientWork refusal =
                    ClientWork.refused(nothingStarted(e, "transfer " + operations.size() + " of the batch: "));
            return Collections.nCopies(transfers.size(), refusal);
        }
        connection.session().submit(operations, epoch.group());
        return operations.stream()
                .map(operation -> new ClientWork(connection.session(), operation))
                .toList();
    }

    private ClientOperation part(Transfer transfer, ClientOptions call) {
        Arguments.given(transfer, "transfer");
        return transfer.sends()
                ? sending(transfer.tensor(), transfer.peer(), transfer.tag(), call)
                : receiving(transfer.tensor(), transfer.peer(), transfer.tag(), call);
    }

    private ClientOperation sending(TensorView tensor, int destination, int tag, ClientOptions call) {
        Arguments.readable(tensor);
        return new ClientOperation(Calls.send(tensor, destination, tag, given(call), epoch), tensor, null)
                .snapshot(connection.options().snapshotBytes());
    }

    private ClientOperation receiving(TensorView tensor, int source, int tag, ClientOptions call) {
        Arguments.writable(tensor);
        return new ClientOperation(Calls.recv(tensor, source, tag, given(call), epoch), null, tensor);
    }

    @Override
    Epoch present() {
        return epoch;
    }

    @Override
    ClientWork start(Supplier<ClientOperation> made) {
        ClientOperation operation;
        try {
            operation = made.get();
        } catch (ParexException e) {
            return ClientWork.refused(nothingStarted(e, ""));
        }
        connection.session().submit(List.of(operation), epoch.group());
        return new ClientWork(connection.session(), operation);
    }

    static ParexException nothingStarted(ParexException refusal, String where) {
        return new ParexException(refusal.kind(), where + refusal.getMessage() + "; nothing was started", refusal)
                .asRefused();
    }

    /**
     * Begins a new epoch of the group, together with all its members: to be called on each after a rank was started
     * again, which ends the present one, or to go on after a client has crashed. What is in flight ends with kind
     * {@code aborted}, messages that nobody has received are dropped, and calls are refused until all have called. The
     * job then decides from where to go on; the session goes on as it is. Starts when called. Cancelling a subscription
     * gives it up, for all subscribers: the others wait for another call of this rank's clients.
     *
     * @param timeout how long to wait for the others, such as for a rank that is being started again
     * @return fails with kind {@code timeout} and the names of those who have not called, {@code argument} if a
     *     recovery runs on this rank already, {@code unavailable} if the rank is not ready, {@code left} or
     *     {@code aborted} if it does not remain so
     */
    public Uni<Recovered> recover(Duration timeout) {
        RecoverRequest request;
        long deadlineNanos;
        try {
            request = Calls.recover(connection.rank(), epoch.group(), Arguments.given(timeout, "timeout"));
            // The rank's own answer says more than the deadline would.
            deadlineNanos =
                    Math.min(TimeUnit.NANOSECONDS.convert(timeout), Long.MAX_VALUE / 2) + Connection.ANSWER_NANOS;
        } catch (ParexException e) {
            return Uni.createFrom().failure(nothingStarted(e, ""));
        }
        UnaryResponse<RecoverRequest, RecoverResponse, Recovered> answer =
                new UnaryResponse<>("Recover", this::recovered);
        connection.stub(deadlineNanos).recover(request, answer);
        return answer.outcome().onCancellation().invoke(answer::cancel);
    }

    private Recovered recovered(RecoverResponse response) {
        Recovered recovered = Recovered.of(response);
        epoch = Epoch.of(epoch.group(), recovered);
        return recovered;
    }
}

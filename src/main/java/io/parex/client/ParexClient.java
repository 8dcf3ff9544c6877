package io.parex.client;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.TensorView;
import io.parex.v1.Close;
import io.parex.v1.GetWorldRequest;
import io.parex.v1.GetWorldResponse;
import io.parex.v1.Open;
import io.parex.v1.Opened;
import io.parex.v1.ParexGrpc;
import io.parex.v1.RecoverRequest;
import io.parex.v1.RecoverResponse;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A trainer's session with its rank. Any thread.
 *
 * <p>Every operation <em>starts</em> when its method is called, in the order of the calls, whether or not the
 * {@code Uni} is subscribed to; cancelling a subscription leaves the operation alone, {@link ClientWork#cancel} ends
 * it, and any number of subscribers get the same outcome. <em>Completes on</em> the connection's I/O thread, which must
 * not be blocked: wait elsewhere. <em>Fails with</em> {@link ParexException} only; its kind says what happened, its
 * text what is now true, {@link ParexException#wasRefused} whether nothing was started. A wrong argument too is a
 * failed {@code Uni}, and so is memory that cannot be used: read-only memory to fill, and memory that is closed or
 * confined to a thread. Nothing is sent then, and the session goes on.
 *
 * <p>Tensors given to an operation belong to it until it has ended: inputs must not be changed, outputs neither read
 * nor written. Messages to send that are not larger than {@link ConnectOptions#snapshotBytes} are copied at once and
 * may be changed as soon as the method has returned. Results are written straight into the output. Large inputs are
 * sent as the rank takes them; nothing is queued. Memory that is closed all the same ends its operation with kind
 * {@code argument} when that is noticed, and cancels it on the rank: a collective then fails on all members.
 */
public final class ParexClient extends ClientCollectives implements AutoCloseable {
    /** Source of a receive that takes messages of any rank. */
    public static final int ANY_SOURCE = -1;

    /** Tag of a receive that takes messages of any tag. */
    public static final int ANY_TAG = -1;

    /** The rank of a process that hosts only one, whichever it is. */
    public static final int ONLY_RANK = -1;

    private static final long CLOSE_SECONDS = 5;
    private static final long ANSWER_SECONDS = 10;

    private final Endpoint endpoint;
    private final Session session;
    private final Opened opened;
    private final ConnectOptions options;
    private volatile Epoch epoch;

    private ParexClient(Endpoint endpoint, Session session, Opened opened, ConnectOptions options) {
        this.endpoint = endpoint;
        this.session = session;
        this.opened = opened;
        this.options = options;
        this.epoch = Epoch.of(opened);
    }

    /**
     * Opens a session. Starts when called; waits for a rank that is not there yet, up to the connect timeout.
     *
     * @param target {@code host:port}, or {@code unix:/path}
     * @param rank that the process there hosts, or {@link #ONLY_RANK}
     * @param options of the connection
     */
    public static Uni<ParexClient> connect(String target, int rank, ConnectOptions options) {
        Endpoint endpoint;
        try {
            Arguments.given(options, "options object");
            endpoint = Endpoint.of(Arguments.given(target, "target"));
        } catch (ParexException e) {
            return Uni.createFrom().failure(e);
        }
        Session session = new Session(options);
        ParexGrpc.newStub(endpoint.channel()).withWaitForReady().session(session);
        Open.Builder open = Open.newBuilder().setClientName(options.clientName());
        if (rank != ONLY_RANK) {
            open.setRank(rank);
        }
        session.open(open.build());
        CompletableFuture<ParexClient> client = session.opened()
                .orTimeout(options.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .handle((opened, failure) -> {
                    if (failure == null) {
                        return new ParexClient(endpoint, session, opened, options);
                    }
                    endpoint.close();
                    throw failure instanceof ParexException known
                            ? known
                            : new ParexException(
                                    ErrorKind.UNAVAILABLE,
                                    "no session with " + target + " within "
                                            + options.connectTimeout().toMillis() + " ms; nothing was started",
                                    failure);
                });
        return Outcomes.of(client)
                .onFailure(java.util.concurrent.CompletionException.class)
                .transform(Throwable::getCause);
    }

    @Override
    public int rank() {
        return opened.getRank();
    }

    @Override
    public int size() {
        return opened.getWorldSize();
    }

    /** Name of the world. */
    public String world() {
        return opened.getWorld();
    }

    /**
     * Sum of the generations of all ranks, as this client knows it from the opening of the session or the last
     * {@link #recover}; 0 if not all ranks were known when the session was opened. Every call says it: the rank refuses
     * it with kind {@code aborted} if a rank was started again since, or the group was recovered by another client.
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
                    .snapshot(options.snapshotBytes());
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
        session.submit(operations);
        return operations.stream()
                .map(operation -> new ClientWork(session, operation))
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
                .snapshot(options.snapshotBytes());
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
        session.submit(List.of(operation));
        return new ClientWork(session, operation);
    }

    private static ParexException nothingStarted(ParexException refusal, String where) {
        return new ParexException(refusal.kind(), where + refusal.getMessage() + "; nothing was started", refusal)
                .asRefused();
    }

    /** What the rank's process knows of its world. Starts when called. */
    public Uni<WorldInfo> getWorld() {
        UnaryResponse<GetWorldRequest, GetWorldResponse, WorldInfo> answer =
                new UnaryResponse<>("GetWorld", WorldInfo::of);
        ParexGrpc.newStub(endpoint.channel())
                .withDeadlineAfter(ANSWER_SECONDS, TimeUnit.SECONDS)
                .getWorld(GetWorldRequest.getDefaultInstance(), answer);
        return answer.outcome();
    }

    /**
     * Begins a new epoch of the group of all ranks, together with all of them: to be called on each after a rank was
     * started again, which ends the present one, or to go on after a client has crashed. What is in flight ends with
     * kind {@code aborted}, messages that nobody has received are dropped, and calls are refused until all have called.
     * The job then decides from where to go on; the session goes on as it is. Starts when called. Cancelling a
     * subscription gives it up, for all subscribers: the others wait for another call of this rank's clients.
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
            request = Calls.recover(rank(), Arguments.given(timeout, "timeout"));
            // The rank's own answer says more than the deadline would.
            deadlineNanos = Math.min(TimeUnit.NANOSECONDS.convert(timeout), Long.MAX_VALUE / 2)
                    + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
        } catch (ParexException e) {
            return Uni.createFrom().failure(nothingStarted(e, ""));
        }
        UnaryResponse<RecoverRequest, RecoverResponse, Recovered> answer =
                new UnaryResponse<>("Recover", this::recovered);
        ParexGrpc.newStub(endpoint.channel())
                .withDeadlineAfter(deadlineNanos, TimeUnit.NANOSECONDS)
                .recover(request, answer);
        return answer.outcome().onCancellation().invoke(answer::cancel);
    }

    private Recovered recovered(RecoverResponse response) {
        Recovered recovered = Recovered.of(response);
        epoch = Epoch.of(recovered);
        return recovered;
    }

    /**
     * Ends the session. Without a reason the client leaves: its operations in flight are cancelled, and its rank makes
     * no more calls until somebody opens a session for it. Calls of other ranks that need it fail with kind
     * {@code left}, from the one after its last on, as do sends and receives that only it could end; what it has
     * completed is not touched. It does not leave if it has made no calls or the rank has other sessions. A reason says
     * that it has failed: all ranks of its group fail what they have in flight, with the reason in the text. Starts
     * when called, once; completes when no operation runs any more.
     */
    public Uni<Void> close(String reason) {
        return end(
                Close.newBuilder().setReason(Arguments.given(reason, "reason")).setLeave(reason.isEmpty()));
    }

    /**
     * Ends the session for another to follow: as {@link #close(String)} without a reason, but the rank does not leave,
     * and the other ranks wait for its next client as they wait for a late call.
     */
    public Uni<Void> disconnect() {
        return end(Close.newBuilder());
    }

    private Uni<Void> end(Close.Builder how) {
        session.close(how.build());
        return Outcomes.of(session.ended().whenComplete((nothing, failure) -> endpoint.close()));
    }

    /**
     * Leaves, as {@link #close(String)} without a reason, and waits until no operation runs any more, 5 s at most.
     * Never on the I/O thread.
     */
    @Override
    public void close() {
        CompletableFuture<Void> ended = session.ended();
        close("").subscribe().with(nothing -> {}, failure -> {});
        try {
            ended.get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The rank does not answer: the stream is cut, which ends the operations on the I/O thread.
        } finally {
            endpoint.close();
        }
    }
}

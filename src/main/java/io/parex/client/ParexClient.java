package io.parex.client;

import io.grpc.stub.StreamObserver;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.v1.GetWorldRequest;
import io.parex.v1.GetWorldResponse;
import io.parex.v1.Open;
import io.parex.v1.Opened;
import io.parex.v1.ParexGrpc;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A trainer's session with its rank. Any thread.
 *
 * <p>Every operation <em>starts</em> when its method is called, in the order of the calls, whether or not the
 * {@code Uni} is subscribed to; cancelling a subscription leaves the operation alone, and any number of subscribers get
 * the same outcome. <em>Completes on</em> the connection's I/O thread, which must not be blocked: wait elsewhere.
 * <em>Fails with</em> {@link ParexException} only; its kind says what happened and its text what is now true. A wrong
 * argument too is a failed {@code Uni}.
 *
 * <p>Tensors given to an operation belong to it until it has ended: inputs must not be changed, outputs neither read
 * nor written. Messages to send that are not larger than {@link ConnectOptions#snapshotBytes} are copied at once and
 * may be changed as soon as the method has returned. Results are written straight into the output. Large inputs are
 * sent as the rank takes them; nothing is queued.
 */
public final class ParexClient implements AutoCloseable {
    /** Source of a receive that takes messages of any rank. */
    public static final int ANY_SOURCE = -1;

    /** Tag of a receive that takes messages of any tag. */
    public static final int ANY_TAG = -1;

    /** The rank of a process that hosts only one, whichever it is. */
    public static final int ONLY_RANK = -1;

    private static final long CLOSE_SECONDS = 5;
    private static final long DESCRIBE_SECONDS = 10;

    private final Endpoint endpoint;
    private final Session session;
    private final Opened opened;
    private final ConnectOptions options;

    private ParexClient(Endpoint endpoint, Session session, Opened opened, ConnectOptions options) {
        this.endpoint = endpoint;
        this.session = session;
        this.opened = opened;
        this.options = options;
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
            endpoint = Endpoint.of(target);
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

    /** Rank of this session. */
    public int rank() {
        return opened.getRank();
    }

    /** Number of ranks in the world. */
    public int size() {
        return opened.getWorldSize();
    }

    /** Name of the world. */
    public String world() {
        return opened.getWorld();
    }

    /**
     * Sends {@code tensor} to {@code destination} with the options' tag. Above 64 KiB it is done when the receiver has
     * taken it; two ranks that both wait for such a send before they receive wait until the timeout: use
     * {@link #sendRecv} or {@link #batch}.
     */
    public Uni<Completion> send(TensorView tensor, int destination, ClientOptions call) {
        return start(sending(tensor, destination, call.tag(), call));
    }

    /** The same as {@link #send}, which does not wait either. */
    public Uni<Completion> isend(TensorView tensor, int destination, ClientOptions call) {
        return send(tensor, destination, call);
    }

    /** Receives into {@code tensor} a message of exactly its type and size with the options' tag. */
    public Uni<Completion> recv(TensorView tensor, int source, ClientOptions call) {
        return start(receiving(tensor, source, call.tag(), call));
    }

    /** The same as {@link #recv}, which does not wait either. */
    public Uni<Completion> irecv(TensorView tensor, int source, ClientOptions call) {
        return recv(tensor, source, call);
    }

    /** Sends and receives at once; the tags are those of the two transfers. Never waits for its own other half. */
    public Uni<Completion> sendRecv(Transfer send, Transfer recv, ClientOptions call) {
        if (!send.sends() || recv.sends()) {
            return Uni.createFrom()
                    .failure(ParexException.argument("send_recv takes one send and one receive, in this order"));
        }
        return start(new ClientOperation(Calls.sendRecv(send, recv, call), send.tensor(), recv.tensor())
                .snapshot(options.snapshotBytes()));
    }

    /** Submits sends and receives as one; each ends alone, in whatever order both sides listed them. */
    public List<Uni<Completion>> batch(List<Transfer> transfers, ClientOptions call) {
        List<ClientOperation> operations = new ArrayList<>(transfers.size());
        for (Transfer each : transfers) {
            operations.add(
                    each.sends()
                            ? sending(each.tensor(), each.peer(), each.tag(), call)
                            : receiving(each.tensor(), each.peer(), each.tag(), call));
        }
        session.submit(operations);
        return operations.stream().map(ClientOperation::outcome).toList();
    }

    /** Done when every rank has called. */
    public Uni<Completion> barrier(ClientOptions call) {
        return start(new ClientOperation(Calls.barrier(call), null, null));
    }

    /** Gives the root's {@code tensor} to all: read on the root, written on all others. */
    public Uni<Completion> broadcast(TensorView tensor, int root, ClientOptions call) {
        boolean isRoot = root == rank();
        return start(new ClientOperation(
                Calls.broadcast(tensor, root, call), isRoot ? tensor : null, isRoot ? null : tensor));
    }

    /**
     * Combines the inputs of all ranks, element by element, into every output. The same tensor may be input and output:
     * result bytes come only after the input bytes they replace were sent. All ranks get the same bits.
     */
    public Uni<Completion> allReduce(TensorView input, TensorView output, ReduceOp op, ClientOptions call) {
        if (input.type() != output.type() || input.count() != output.count()) {
            return Uni.createFrom()
                    .failure(ParexException.argument("all_reduce of " + input.count() + " "
                            + input.type().label() + " into " + output.count() + " "
                            + output.type().label()));
        }
        return start(new ClientOperation(Calls.allReduce(input, op, call), input, output));
    }

    private ClientOperation sending(TensorView tensor, int destination, int tag, ClientOptions call) {
        return new ClientOperation(Calls.send(tensor, destination, tag, call), tensor, null)
                .snapshot(options.snapshotBytes());
    }

    private static ClientOperation receiving(TensorView tensor, int source, int tag, ClientOptions call) {
        return new ClientOperation(Calls.recv(tensor, source, tag, call), null, tensor);
    }

    private Uni<Completion> start(ClientOperation operation) {
        session.submit(List.of(operation));
        return operation.outcome();
    }

    /** What the rank's process knows of its world. Starts when called. */
    public Uni<WorldInfo> getWorld() {
        CompletableFuture<WorldInfo> answer = new CompletableFuture<>();
        ParexGrpc.newStub(endpoint.channel())
                .withDeadlineAfter(DESCRIBE_SECONDS, TimeUnit.SECONDS)
                .getWorld(GetWorldRequest.getDefaultInstance(), new StreamObserver<GetWorldResponse>() {
                    @Override
                    public void onNext(GetWorldResponse response) {
                        answer.complete(WorldInfo.of(response));
                    }

                    @Override
                    public void onError(Throwable error) {
                        answer.completeExceptionally(Failures.of("GetWorld", error));
                    }

                    @Override
                    public void onCompleted() {
                        // The one response was enough.
                    }
                });
        return Outcomes.of(answer);
    }

    /**
     * Ends the session. Without a reason the client just leaves: its operations in flight are cancelled. A reason says
     * that it has failed: all ranks of its group fail what they have in flight, with the reason in the text. Starts
     * when called, once; completes when no operation runs any more.
     */
    public Uni<Void> close(String reason) {
        session.close(reason);
        return Outcomes.of(session.ended().whenComplete((nothing, failure) -> endpoint.close()));
    }

    /** Leaves and waits until no operation runs any more, 5 s at most. Never on the I/O thread. */
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

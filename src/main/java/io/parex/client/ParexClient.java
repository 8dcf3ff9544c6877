package io.parex.client;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.v1.Close;
import io.parex.v1.CloseGroupRequest;
import io.parex.v1.CloseGroupResponse;
import io.parex.v1.CreateGroupRequest;
import io.parex.v1.CreateGroupResponse;
import io.parex.v1.GetWorldRequest;
import io.parex.v1.GetWorldResponse;
import io.parex.v1.Open;
import io.parex.v1.ParexGrpc;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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
public final class ParexClient extends ClientOperations implements AutoCloseable {
    /** Source of a receive that takes messages of any rank. */
    public static final int ANY_SOURCE = -1;

    /** Tag of a receive that takes messages of any tag. */
    public static final int ANY_TAG = -1;

    /** The rank of a process that hosts only one, whichever it is. */
    public static final int ONLY_RANK = -1;

    private static final long CLOSE_SECONDS = 5;

    private ParexClient(Connection connection) {
        super(connection, Epoch.of(connection.opened()));
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
                        return new ParexClient(new Connection(endpoint, session, opened, options));
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
        return connection().rank();
    }

    @Override
    public int size() {
        return connection().opened().getWorldSize();
    }

    /** Name of the world. */
    public String world() {
        return connection().opened().getWorld();
    }

    /** What the rank's process knows of its world. Starts when called. */
    public Uni<WorldInfo> getWorld() {
        UnaryResponse<GetWorldRequest, GetWorldResponse, WorldInfo> answer =
                new UnaryResponse<>("GetWorld", WorldInfo::of);
        connection().stub(Connection.ANSWER_NANOS).getWorld(GetWorldRequest.getDefaultInstance(), answer);
        return answer.outcome();
    }

    /**
     * Creates a group of some ranks: called by each member, and by nobody else. It waits for no other member: what
     * others call on the group meanwhile waits for this one. Starts when called.
     *
     * @param name equal on all members, and of no other group that is open on this rank
     * @param members ranks of the world, equal on all members; their order is that of the ranks in the group
     * @return open until its {@link ClientGroup#close()} or the end of this session; fails with kind {@code argument}
     *     for a name or members that cannot be meant, this rank not among them, {@code overloaded} if too many are
     *     open, {@code unavailable} if the rank takes no calls
     */
    public Uni<ClientGroup> newGroup(String name, List<Integer> members) {
        CreateGroupRequest request;
        try {
            request = CreateGroupRequest.newBuilder()
                    .setRank(rank())
                    .setName(Arguments.given(name, "name"))
                    .addAllMembers(Arguments.given(members, "list of members"))
                    .setSessionId(connection().opened().getSessionId())
                    .build();
        } catch (ParexException e) {
            return Uni.createFrom().failure(nothingStarted(e, ""));
        }
        UnaryResponse<CreateGroupRequest, CreateGroupResponse, ClientGroup> answer =
                new UnaryResponse<>("CreateGroup", response -> new ClientGroup(this, response.getGroup()));
        connection().stub(Connection.ANSWER_NANOS).createGroup(request, answer);
        return answer.outcome();
    }

    /** Closes a group that this session has created. */
    Uni<Void> close(ClientGroup group) {
        connection().session().forget(group.name());
        CloseGroupRequest request = CloseGroupRequest.newBuilder()
                .setRank(rank())
                .setName(group.name())
                .setSessionId(connection().opened().getSessionId())
                .build();
        UnaryResponse<CloseGroupRequest, CloseGroupResponse, Void> answer =
                new UnaryResponse<>("CloseGroup", response -> null);
        connection().stub(Connection.ANSWER_NANOS).closeGroup(request, answer);
        return answer.outcome();
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
        Session session = connection().session();
        session.close(how.build());
        return Outcomes.of(session.ended()
                .whenComplete((nothing, failure) -> connection().endpoint().close()));
    }

    /**
     * Leaves, as {@link #close(String)} without a reason, and waits until no operation runs any more, 5 s at most.
     * Never on the I/O thread.
     */
    @Override
    public void close() {
        CompletableFuture<Void> ended = connection().session().ended();
        close("").subscribe().with(nothing -> {}, failure -> {});
        try {
            ended.get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The rank does not answer: the stream is cut, which ends the operations on the I/O thread.
        } finally {
            connection().endpoint().close();
        }
    }
}

package io.parex.world;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.protocol.Failure;
import io.parex.schedule.Primitive;
import io.parex.tensor.TensorView;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A group of ranks as one of its members sees it; all ranks here are ranks in the group. Any thread.
 *
 * <p>Every operation starts when its method is called and returns at once with a {@link Work}; wrong arguments are
 * thrown at once as {@link ParexException}. Collectives pair by the order in which each member calls them on the group,
 * so a member that calls from several threads gives each call a name. Messages from one rank to another with one tag
 * arrive in the order in which they were sent.
 */
public final class ProcessGroup implements Collectives {
    /** Source of a receive that takes messages of any rank. */
    public static final int ANY_SOURCE = -1;

    /** Tag of a receive that takes messages of any tag. */
    public static final int ANY_TAG = -1;

    private final World world;
    private final RankCore rank;
    private final GroupEpochs epochs;
    private final CallCheck check;
    private final Epoch fixed;
    private final AtomicReference<ProcessGroup> present = new AtomicReference<>();

    ProcessGroup(World world, RankCore rank, GroupEpochs epochs) {
        this(world, rank, epochs, null);
    }

    private ProcessGroup(World world, RankCore rank, GroupEpochs epochs, Epoch fixed) {
        this.world = world;
        this.rank = rank;
        this.epochs = epochs;
        this.fixed = fixed;
        this.check = new CallCheck(
                name(), rank(), size(), rank.selector(), rank.options().choice().deterministic());
    }

    /** The world it belongs to. */
    public World world() {
        return world;
    }

    /** Name of the group. */
    public String name() {
        return epochs.current().name();
    }

    /** This rank in the group. */
    @Override
    public int rank() {
        return epochs.current().rank();
    }

    /** Number of members. */
    @Override
    public int size() {
        return epochs.current().size();
    }

    /** The members as ranks of the world, in the order of their ranks here. */
    public List<Integer> members() {
        return Arrays.stream(epochs.members()).boxed().toList();
    }

    /**
     * The rank here of a rank of the world, such as for a root that a job knows by its rank in the world.
     *
     * @throws ParexException of kind {@code argument} if it is not a member
     */
    public int rankOf(int worldRank) {
        int[] members = epochs.members();
        for (int member = 0; member < members.length; member++) {
            if (members[member] == worldRank) {
                return member;
            }
        }
        throw ParexException.argument("rank " + worldRank + " of the world is not a member of group " + name());
    }

    /** Whether this rank has closed the group. */
    public boolean isClosed() {
        return epochs.isClosed();
    }

    /**
     * This rank is no member any more. What is in flight here ends with kind {@code left}, and so does what other
     * members call on the group and need this one for; what it had completed before is theirs. A group that a member
     * has closed is not recovered: the others close it too, and all may create it again. Starts when called,
     * idempotent; completes on the owner loop.
     *
     * @return fails with kind {@code argument} for the group of all ranks, which is closed with the {@link World}
     */
    public Uni<Void> close() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        if (epochs.key() == Groups.ALL) {
            closed.completeExceptionally(ParexException.argument(
                    "the group of all ranks is not closed alone; leave the world in its place"));
        } else {
            boolean isRunning = rank.execute(() -> {
                if (rank.groups().close(epochs)) {
                    world.forget(name());
                }
                closed.complete(null);
            });
            if (!isRunning) {
                closed.complete(null);
            }
        }
        return Uni.createFrom().completionStage(closed);
    }

    /** Sum of the generations of all members as this rank knows them: grows with each restart of one. */
    public long epoch() {
        return epochs.epoch();
    }

    /** Why calls are refused until {@link #recover} on every member; empty if they are not. */
    public Optional<String> outdated() {
        return Optional.ofNullable(epochs.current().outdated());
    }

    /** {@link Recovered#round} of the last recovery of the group on this rank, 0 if there was none. */
    public long round() {
        return here().round();
    }

    /**
     * Whether a caller who was told of this {@link #epoch} need not know of a later one: it is the present one, or
     * nothing was called on the group since, on any member.
     */
    public boolean isEpoch(long told) {
        Epoch here = here();
        return told == epoch() || here.number() == epoch() && here.isNumber(told);
    }

    /** As {@link #isEpoch}, of the {@link #round}. */
    public boolean isRound(long told) {
        return here().isRound(told);
    }

    /**
     * This group until it is recovered next: calls through what this returns are refused from then on, where those
     * through the group itself go on. For callers that keep an order of calls, which ends with a recovery. The same
     * object until then.
     */
    public ProcessGroup present() {
        return present.updateAndGet(known -> {
            Epoch now = epochs.present();
            return known != null && known.fixed == now ? known : new ProcessGroup(world, rank, epochs, now);
        });
    }

    /** Whether this is what {@link #present} returned before the last recovery, or before the group was closed. */
    public boolean isOver() {
        return fixed != null && (fixed != epochs.present() || epochs.isClosed());
    }

    private Epoch here() {
        return fixed == null ? epochs.present() : fixed;
    }

    /**
     * Sends {@code tensor} to {@code destination}. Up to 64 KiB it is done as soon as the bytes are copied; above, when
     * the receiver has taken them, so two ranks that both wait for such a send before they receive wait until the
     * timeout: use {@link #sendRecv} or {@link #batch} for an exchange.
     */
    public Work isend(TensorView tensor, int destination, int tag, CallOptions options) {
        return submit(Call.send(TensorStream.input(tensor), destination, tag, options));
    }

    /** Receives into {@code tensor} a message of exactly its type and size; another one is a mismatch. */
    public Work irecv(TensorView tensor, int source, int tag, CallOptions options) {
        return submit(Call.recv(TensorStream.output(tensor), source, tag, options));
    }

    /** As {@link #isend}, and waits. */
    public void send(TensorView tensor, int destination, int tag, CallOptions options) {
        submit(Call.send(TensorStream.input(tensor), destination, tag, options).as(Primitive.SEND))
                .await();
    }

    /** As {@link #irecv}, and waits. */
    public Completion recv(TensorView tensor, int source, int tag, CallOptions options) {
        return submit(Call.recv(TensorStream.output(tensor), source, tag, options)
                        .as(Primitive.RECV))
                .await();
    }

    /** Sends and receives at once; does not deadlock whatever the sizes and whoever calls first. */
    public Work sendRecv(PointToPoint send, PointToPoint recv, CallOptions options) {
        if (!send.sends() || recv.sends()) {
            throw ParexException.argument("send_recv takes one send and one receive, in this order");
        }
        return submit(Call.sendRecv(send.call(options), recv.call(options)));
    }

    /** Submits sends and receives as one; each ends alone, in whatever order both sides listed them. */
    public List<Work> batch(List<PointToPoint> operations, CallOptions options) {
        return submit(operations.stream().map(each -> each.call(options)).toList());
    }

    /** Starts an operation in its general form. */
    @Override
    public Work submit(Call call) {
        return submit(List.of(call)).getFirst();
    }

    /** Starts operations in the order given, in one turn of the owner loop. */
    public List<Work> submit(List<Call> calls) {
        List<Plan> plans = new ArrayList<>(calls.size());
        try {
            calls.forEach(call -> plans.add(check.verify(call, here().placement())));
        } catch (ParexException e) {
            throw new ParexException(e.kind(), e.getMessage() + "; nothing was started", e).asRefused();
        }
        world.requireReady();
        requireOpen();
        if (rank.inFlight().addAndGet(calls.size()) > Limits.OPERATIONS_IN_FLIGHT) {
            rank.inFlight().addAndGet(-calls.size());
            throw ParexException.refused(
                    ErrorKind.OVERLOADED,
                    "more than " + Limits.OPERATIONS_IN_FLIGHT + " operations in flight on rank " + rank.rank()
                            + "; nothing was started");
        }
        long now = rank.loop().nanoTime();
        List<Submission> submissions = new ArrayList<>(calls.size());
        for (int i = 0; i < calls.size(); i++) {
            submissions.add(submission(calls.get(i), plans.get(i), now));
        }
        rank.loop().execute(() -> submissions.forEach(this::start));
        return submissions.stream().map(Submission::work).toList();
    }

    /**
     * As {@link #submit(Call)}, but a collective with a wrong argument takes its turn and fails on all members instead
     * of being thrown: for callers whose job has called already, so that the other members hear why at once.
     */
    public Work submitOrGiveUp(Call call) {
        if (!call.isPointToPoint()) {
            try {
                check.verify(call, here().placement());
            } catch (ParexException e) {
                return giveUp(call, e.kind(), e.getMessage());
            }
        }
        return submit(call);
    }

    /**
     * Takes this member's turn in the order of collective calls for a call that it cannot make, and fails it on all
     * members, so that none waits for it and all keep their order. For callers that find a reason after a job has
     * called, such as a lack of memory for its tensor.
     *
     * @param call the call as it would be made; its streams need no memory
     * @return fails with {@code kind}
     */
    public Work giveUp(Call call, ErrorKind kind, String why) {
        if (call.isPointToPoint()) {
            throw ParexException.argument("only a collective has a turn to give up, not "
                    + call.primitive().label());
        }
        world.requireReady();
        requireOpen();
        rank.inFlight().incrementAndGet();
        Submission submission = submission(call, Plan.givenUp(call), rank.loop().nanoTime());
        submission.giveUp(new Failure(kind, rank(), why));
        rank.loop().execute(() -> start(submission));
        return submission.work();
    }

    private void requireOpen() {
        if (epochs.isClosed()) {
            throw GroupArguments.closed(name(), rank());
        }
    }

    private Submission submission(Call call, Plan plan, long now) {
        Duration limit = call.options().timeout() == null
                ? rank.options().callTimeout()
                : call.options().timeout();
        Work work = new Work(call.primitive(), rank.loop());
        GroupCore group = here().group();
        Submission submission = new Submission(group, call, plan, work, now, limit.toNanos());
        submission.sawRefusals(group.refusals());
        return submission;
    }

    private void start(Submission submission) {
        try {
            if (world.state() != WorldState.READY) {
                submission.refuse(ErrorKind.UNAVAILABLE, world.refusal());
                return;
            }
            epochs.current().start(submission);
        } catch (ParexException e) {
            submission.fail(e.kind(), e.getMessage());
        } catch (RuntimeException e) {
            submission.broken("internal error on rank " + rank() + ": " + e);
            throw e;
        }
    }

    /**
     * Says that this member makes no more calls for now, such as when its callers have gone: from here on, calls of
     * other members fail with kind {@code left} where they need it, and so do sends and receives that only it could
     * end. What it has called before ends first. It is back with {@link #rejoin}, or with its next call, which may
     * still fail with those of the others. Returns at once.
     */
    public void leave() {
        rank.execute(() -> {
            if (world.state() == WorldState.READY) {
                epochs.current().presence().leave();
            }
        });
    }

    /**
     * Takes part again after {@link #leave}; nothing to do otherwise. Calls that have failed on other members because
     * this one was away are passed over, so that the next call here pairs with the next one there. Starts when called;
     * completes on the owner loop when every member that can be reached knows.
     */
    public Uni<Void> rejoin() {
        CompletableFuture<Void> heard = new CompletableFuture<>();
        boolean isRunning = rank.execute(() -> {
            if (world.state() == WorldState.READY) {
                epochs.current().presence().rejoin(() -> heard.complete(null));
            } else {
                heard.complete(null);
            }
        });
        if (!isRunning) {
            heard.complete(null);
        }
        return Uni.createFrom().completionStage(heard);
    }

    /**
     * Begins a new epoch of the group, together with all members: after a member was started again, which ends the
     * present one, or because one of them wants to, such as after its callers have crashed. What is in flight ends with
     * kind {@code aborted}, messages that nobody has received are dropped, and until all members have called this,
     * every call is refused. The next collective call has the same number on all members. Starts when called; completes
     * on the owner loop. Cancelling a subscription gives the recovery up: if it has not ended, the others wait for
     * another call on this member.
     *
     * @param timeout how long to wait for the others, such as for a rank that is being started again
     * @return fails with kind {@code timeout} and the names of those who have not called, {@code argument} if a
     *     recovery of the group runs on this rank, {@code unavailable} if the rank is not ready, {@code left} or
     *     {@code aborted} if it does not remain so
     */
    public Uni<Recovered> recover(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw ParexException.argument("the timeout of a recovery must be positive, not " + timeout);
        }
        CallCheck.requireCountable(timeout);
        return new RecoveryStart(world, rank, epochs).start(timeout);
    }

    /**
     * Ends all operations of the group in flight on this rank, and the collectives among them on all members, with kind
     * {@code aborted}. Other groups go on.
     */
    public void abort(String reason) {
        String text = "aborted by rank " + rank() + ": " + reason;
        rank.execute(() -> epochs.current().failAll(ErrorKind.ABORTED, text));
    }
}

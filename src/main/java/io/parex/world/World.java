package io.parex.world;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.transport.ConnectionStats;
import io.parex.transport.MutinySetup;
import io.parex.transport.Network;
import io.parex.transport.OwnerLoop;
import io.smallrye.mutiny.Uni;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/** One rank of a world: what a job, or the service on its behalf, calls. Any thread. */
public final class World implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(World.class.getName());
    private static final long CLOSE_SECONDS = 10;
    /** Name of the group of all ranks. */
    static final String WORLD_GROUP = "world";

    static {
        MutinySetup.ensure();
    }

    private final String name;
    private final int rank;
    private final int size;
    private final RankCore core;
    private final ProcessGroup group;
    private final Map<String, ProcessGroup> groups = new ConcurrentHashMap<>();
    private final AtomicReference<WorldState> state = new AtomicReference<>(WorldState.STARTING);
    private final CompletableFuture<Void> ready;
    private volatile String lostBecause = "";
    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    private World(int rank, int size, WorldOptions options, Network network) {
        this.name = options.name();
        this.rank = rank;
        this.size = size;
        this.core = new RankCore(rank, size, options, network, this::lost);
        GroupEpochs all = GroupEpochs.ofAll(core, WORLD_GROUP, Groups.ALL, size);
        core.groups().add(all);
        this.group = new ProcessGroup(this, core, all);
        groups.put(WORLD_GROUP, group);
        if (core.membership().isComplete()) {
            all.joined();
        }
        // Whoever waits for the rank to be ready waits for this: what depends on a future runs in no order.
        this.ready = core.joining().joined().thenRun(() -> state.compareAndSet(WorldState.STARTING, WorldState.READY));
        if (state.get() == WorldState.STARTING) {
            core.loop().execute(core.joining()::start);
        }
    }

    /**
     * Rank {@code rank} of a world of {@code size} on a network that has links to all its peers. It is ready at once if
     * all live in this process, else when it has heard of all of them: see {@link #joined}.
     */
    public static World join(int rank, int size, WorldOptions options, Network network) {
        return new World(rank, size, options, network);
    }

    /** Name of the world. */
    public String name() {
        return name;
    }

    /** This rank. */
    public int rank() {
        return rank;
    }

    /** Number of ranks. */
    public int size() {
        return size;
    }

    /** The loop on which this rank lives: what is submitted there reaches it without another thread. */
    public OwnerLoop loop() {
        return core.loop();
    }

    /** The group of all ranks. */
    public ProcessGroup group() {
        return group;
    }

    /** The group of that name, {@code world} for all ranks, if this rank is a member and has not closed it. */
    public Optional<ProcessGroup> group(String name) {
        return Optional.ofNullable(groups.get(name));
    }

    /** The groups that this rank has created and not closed, and the one of all ranks, in no order. */
    public List<ProcessGroup> groups() {
        return List.copyOf(groups.values());
    }

    /**
     * Creates a group of some ranks, such as those that share a slice of a model. Each member calls this, and nobody
     * else; it waits for no other member, so that what others call on the group meanwhile waits for this one. Members
     * that create groups of one name and list again and again do so in the same order on all of them; the same for
     * closing. Groups run side by side: calls of one do not wait for those of another. Starts when called; completes on
     * the owner loop.
     *
     * @param name told in errors, equal on all members, and of no other group that is open on this rank
     * @param members ranks of the world, equal on all members; their order is that of the ranks in the group
     * @return fails with kind {@code argument} if a group of that name is open, {@code overloaded} beyond 1,024 open
     *     groups, {@code unavailable} if this rank takes no calls
     * @throws ParexException of kind {@code argument} for a name or members that cannot be meant, this rank not among
     *     them
     */
    public Uni<ProcessGroup> newGroup(String name, List<Integer> members) {
        GroupArguments.require(name, members, rank, size);
        List<Integer> ranks = List.copyOf(members);
        CompletableFuture<ProcessGroup> created = new CompletableFuture<>();
        boolean isRunning = core.execute(() -> {
            try {
                requireReady();
                ProcessGroup made = new ProcessGroup(this, core, core.groups().create(name, ranks));
                groups.put(name, made);
                created.complete(made);
            } catch (ParexException e) {
                created.completeExceptionally(e);
            }
        });
        if (!isRunning) {
            created.completeExceptionally(ParexException.refused(ErrorKind.UNAVAILABLE, refusal()));
        }
        return Uni.createFrom().completionStage(created);
    }

    /** A member that closes a group is none any more. */
    void forget(String closed) {
        groups.remove(closed);
    }

    /** Where this rank is in its life. */
    public WorldState state() {
        return state.get();
    }

    /**
     * Completes when this rank has heard of all others; fails with kind {@code unavailable} and the ranks that are
     * missing at the start timeout, or if the world is left before.
     */
    public Uni<Void> joined() {
        return Uni.createFrom()
                .completionStage(ready)
                .onFailure(CompletionException.class)
                .transform(Throwable::getCause);
    }

    /**
     * Completes with the reason when the others go on without this process, and only another start of it can take part:
     * {@link WorldState#LOST}. Not at all if that does not happen. Completes on the owner loop.
     */
    public Uni<String> lost() {
        return Uni.createFrom().completionStage(lost.copy());
    }

    /** Why this rank is lost; empty if it is not. */
    public String lostBecause() {
        return lostBecause;
    }

    /** Ranks of which this one has not heard yet, in order. */
    public List<Integer> missing() {
        return Arrays.stream(core.joining().missing()).boxed().toList();
    }

    /** Ranks that are lost and not started again, in order. */
    public List<Integer> lostRanks() {
        return core.losses().ranks();
    }

    /** For whom this rank waits before it is ready, and why it does not reach them, in words; empty if for none. */
    public String waiting() {
        return core.joining().waiting();
    }

    /** Operations submitted and not ended. */
    public int inFlight() {
        return core.inFlight().get();
    }

    /** Traffic with each peer to which there is or was a link. */
    public List<PeerStats> peers() {
        return core.peers().stats();
    }

    /** Connections over which links to other processes have gone on after they had lost one before. */
    public long resumedConnections() {
        return core.connections().resumed();
    }

    /** Connections that this process has refused: strangers, ranks of other worlds, duplicates. */
    public long refusedConnections() {
        return core.connections().refused().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Why connections are refused, in names for meters. */
    public static List<String> refusalReasons() {
        return ConnectionStats.REASONS;
    }

    /** Connections refused for one of {@link #refusalReasons}. */
    public long refusedConnections(String reason) {
        return core.connections().refused().getOrDefault(reason, 0L);
    }

    /** Native memory in use now for copies and scratch by all ranks that share this process, in bytes. */
    public long scratchBytes() {
        return core.pool().usedBytes();
    }

    /** The most that {@link #scratchBytes} can be. */
    public long scratchLimitBytes() {
        return core.pool().limitBytes();
    }

    /** Tells {@code observer} of every operation that ends from now on, on the owner loop. */
    public void observe(CallObserver observer) {
        core.observe(observer);
    }

    void requireReady() {
        if (state.get() != WorldState.READY) {
            throw ParexException.refused(ErrorKind.UNAVAILABLE, refusal());
        }
    }

    String refusal() {
        WorldState now = state.get();
        String more = switch (now) {
            case STARTING -> ", missing: " + missing();
            case LOST -> ", " + lostBecause + "; only another start of it can take part";
            default -> "";
        };
        return "rank " + rank + " of world " + name + " is " + now.name().toLowerCase(Locale.ROOT) + more
                + "; nothing was started";
    }

    /**
     * Leaves the world: operations in flight fail with kind {@code left}, on all members where they are collectives;
     * peers learn that this rank makes no more calls. Starts when called, idempotent; completes on the owner loop when
     * nothing refers to callers' or peers' memory any more.
     */
    public Uni<Void> leave() {
        WorldState before =
                state.getAndUpdate(now -> now == WorldState.CLOSED ? WorldState.CLOSED : WorldState.CLOSING);
        if (before != WorldState.CLOSING && before != WorldState.CLOSED) {
            core.loop().execute(this::leaveOnLoop);
        }
        return Uni.createFrom().completionStage(closed);
    }

    /**
     * Leaves the world and waits for it, at most 10 s. Idempotent; never called on an owner loop.
     *
     * @throws ParexException of kind {@code timeout} if memory of the last operations may still be in use after that
     */
    @Override
    public void close() {
        leave();
        try {
            closed.get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            throw new ParexException(
                    ErrorKind.TIMEOUT,
                    "rank " + rank + " of world " + name + " did not close within " + CLOSE_SECONDS
                            + " s; memory of its last operations may still be in use",
                    e);
        }
    }

    private void leaveOnLoop() {
        core.joining().stop();
        core.giveUpRecoveries(ErrorKind.LEFT, "has left the world");
        core.failAll(ErrorKind.LEFT, "rank " + rank + " has left the world");
        core.leaveAll();
        core.whenIdle(() -> {
            core.close("rank " + rank + " has left");
            state.set(WorldState.CLOSED);
            closed.complete(null);
        });
    }

    private void lost(String why) {
        lostBecause = why;
        WorldState before = state.getAndUpdate(
                now -> now == WorldState.STARTING || now == WorldState.READY ? WorldState.LOST : now);
        if (before == WorldState.CLOSING || before == WorldState.CLOSED) {
            return;
        }
        String text = "rank " + rank + " of world " + name + " is lost: " + why;
        LOG.log(System.Logger.Level.ERROR, "{0}; only another start of it can take part", text);
        core.joining().fail(text);
        core.giveUpRecoveries(ErrorKind.ABORTED, "is lost: " + why);
        core.failAll(ErrorKind.ABORTED, text);
        core.whenIdle(() -> core.close(text));
        lost.complete(why);
    }
}

package io.parex.world;

import io.parex.ErrorKind;
import io.parex.planner.AlgorithmOverrides;
import io.parex.planner.AlgorithmRegistry;
import io.parex.planner.Selector;
import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.protocol.Membership;
import io.parex.tensor.BufferPool;
import io.parex.transport.ConnectionStats;
import io.parex.transport.Link;
import io.parex.transport.Network;
import io.parex.transport.OwnerLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The state of one rank: its peers and its groups. Takes frames and hands them to what they are for. Owner loop only,
 * but for what says otherwise.
 */
final class RankCore implements Link.Receiver {
    private static final System.Logger LOG = System.getLogger(RankCore.class.getName());

    private final int rank;
    private final WorldOptions options;
    private final Network network;
    private final Selector selector;
    private final ScheduleCache schedules = new ScheduleCache();
    private final Peers peers;
    private final Joining joining;
    private final Losses losses;
    private final GroupFrames groupFrames;
    private final Groups groups;
    private final List<CallObserver> observers = new CopyOnWriteArrayList<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final List<Runnable> whenIdle = new ArrayList<>();
    private final Consumer<String> whenLost;
    private boolean closed;
    private boolean lost;

    /**
     * A rank.
     *
     * @param whenLost told if the others go on without this process
     */
    RankCore(int rank, int size, WorldOptions options, Network network, Consumer<String> whenLost) {
        this.rank = rank;
        this.options = options;
        this.network = network;
        AlgorithmRegistry registry = AlgorithmRegistry.standard();
        this.selector = new Selector(
                registry,
                AlgorithmOverrides.parse(options.choice().overrides(), registry),
                options.choice().costs());
        this.peers = new Peers(this, network, size, this::renewed);
        this.joining = new Joining(this, size, options, network);
        this.losses = new Losses(this, size);
        this.groupFrames = new GroupFrames(this);
        this.groups = new Groups(this, groupFrames);
        this.whenLost = whenLost;
        network.receive(this);
    }

    Joining joining() {
        return joining;
    }

    int rank() {
        return rank;
    }

    Membership membership() {
        return network.membership();
    }

    WorldOptions options() {
        return options;
    }

    OwnerLoop loop() {
        return network.loop();
    }

    /** Hands a task to the owner loop; whether that still runs. Any thread. */
    boolean execute(Runnable task) {
        try {
            network.loop().execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Any thread. */
    ConnectionStats connections() {
        return network.connections();
    }

    BufferPool pool() {
        return network.pool();
    }

    Selector selector() {
        return selector;
    }

    ScheduleCache schedules() {
        return schedules;
    }

    /** Operations submitted and not ended. Any thread. */
    AtomicInteger inFlight() {
        return inFlight;
    }

    /** Any thread. */
    void observe(CallObserver observer) {
        observers.add(observer);
    }

    /** An epoch of a group begins. */
    void began(GroupCore group) {
        groupFrames.add(group);
    }

    /** The groups of this rank. */
    Groups groups() {
        return groups;
    }

    /** The peer of that rank in the world; a link is made when first needed. */
    Peer peer(int worldRank) {
        return peers.peer(worldRank);
    }

    Peers peers() {
        return peers;
    }

    /** Why there is no connection to a rank; empty if there is one, or need not be. */
    String trouble(int worldRank) {
        return peer(worldRank).isAnswering() ? "" : network.trouble(worldRank);
    }

    Losses losses() {
        return losses;
    }

    boolean isClosed() {
        return closed;
    }

    /** A rank was started again, as this life: what waits for its process before fails. */
    void replaced(Life life) {
        if (!peers.isConfirmed(life)) {
            failPeer(life.rank(), "it was started again, generation " + life.generation());
            peers.replaced(life);
        }
    }

    private void renewed(int peer) {
        joining.tellAll(peer);
        losses.tellAll(peer);
        groups.open().forEach(group -> group.renewed(peer));
    }

    /** An operation has ended. */
    void ended(CallRecord record) {
        inFlight.decrementAndGet();
        for (CallObserver observer : observers) {
            try {
                observer.ended(record);
            } catch (RuntimeException e) {
                // Whoever waits for the operation must not wait for ever because somebody else looks on.
                LOG.log(System.Logger.Level.ERROR, "rank " + rank + ": an observer failed on " + record, e);
            }
        }
        if (!whenIdle.isEmpty()) {
            loop().execute(this::runIfIdle);
        }
    }

    /** Runs {@code task} when no operation runs and nothing is lent to anyone. */
    void whenIdle(Runnable task) {
        whenIdle.add(task);
        runIfIdle();
    }

    private void runIfIdle() {
        if (groupFrames.groups().stream().allMatch(GroupCore::isIdle)
                && peers.all().noneMatch(Peer::holdsLent)) {
            List<Runnable> tasks = List.copyOf(whenIdle);
            whenIdle.clear();
            tasks.forEach(Runnable::run);
        }
    }

    void failAll(ErrorKind kind, String text) {
        groupFrames.groups().forEach(group -> group.failAll(kind, text));
    }

    /** Ends recoveries that wait for others. */
    void giveUpRecoveries(ErrorKind kind, String text) {
        groups.open().forEach(group -> group.giveUp(kind, text));
    }

    void leaveAll() {
        groups.open().forEach(group -> group.current().leave());
    }

    /** The others go on without this process, for good. */
    void lose(String why) {
        if (!lost && !closed) {
            lost = true;
            whenLost.accept(why);
        }
    }

    /** Closes the links; nothing runs any more. */
    void close(String reason) {
        closed = true;
        network.endProbes();
        groupFrames.groups().forEach(group -> group.retire(reason));
        peers.all().forEach(peer -> peer.close(reason));
    }

    @Override
    public void onFrame(int from, Frame frame) {
        if (closed) {
            if (frame instanceof Frame.Data data) {
                data.payload().release();
            }
            return;
        }
        try {
            dispatch(from, frame);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "rank " + rank + ": a frame of rank " + from + " failed: " + frame, e);
            failAll(ErrorKind.PROTOCOL, "internal error on rank " + rank + ": " + e);
        }
        if (!whenIdle.isEmpty()) {
            runIfIdle();
        }
    }

    private void dispatch(int from, Frame frame) {
        Peer peer = peer(from);
        switch (frame) {
            case Frame.Data data -> peer.onData(data);
            case Frame.Released released -> peer.onReleased(released);
            case Frame.Credit credit -> peer.onCredit(credit);
            case Frame.Accept accept -> {
                OutTransfer transfer = peer.out(accept.transfer());
                if (transfer != null) {
                    transfer.accepted(accept.bytes());
                }
            }
            case Frame.Refuse refuse -> {
                OutTransfer transfer = peer.out(refuse.transfer());
                if (transfer != null) {
                    transfer.refused(refuse.failure());
                }
            }
            case Frame.Withdraw withdraw -> {
                InTransfer transfer = peer.in(withdraw.transfer());
                if (transfer != null) {
                    transfer.withdrawn(withdraw.failure());
                }
                peer.send(new Frame.Released(withdraw.transfer(), Long.MAX_VALUE));
            }
            case Frame.Lives lives -> joining.told(from, lives.lives());
            case Frame.Lost notice -> lost(notice);
            case Frame.Recover recover -> {
                GroupEpochs group = groups.of(recover.group());
                if (group != null && group.current().has(from)) {
                    group.heard(from, recover.standings());
                }
            }
            case Frame.OfGroup ofGroup -> groupFrames.take(from, ofGroup);
        }
    }

    /** Others have lost a rank: so has this one, also if it would go on trying. */
    private void lost(Frame.Lost notice) {
        Life life = notice.life();
        if (life.rank() == rank) {
            if (life.isSameProcess(membership().life(rank))) {
                lose("the others have lost it: " + notice.reason());
            } else {
                joining.otherLost(life);
            }
        } else {
            losses.lost(life, notice.reason());
        }
    }

    /** Calls that need rank {@code rank} of the world cannot succeed any more. */
    void failPeer(int rank, String reason) {
        for (GroupCore group : groupFrames.groups()) {
            if (group.has(rank) && !group.departures().isGone(group.groupRank(rank))) {
                group.left(group.groupRank(rank), 0, ErrorKind.PEER_FAILED, "is lost (" + reason + ")");
            }
        }
    }

    /** A process is lost. The neighbours of its rank in the ring of ranks look for another. */
    void dropPeer(Life life, String reason) {
        peers.drop(life, reason);
        if (joining.isNeighbour(life.rank())) {
            network.probe(life.rank());
        }
    }

    @Override
    public void onReturned(int to, long transfer, long bytes) {
        if (!closed) {
            peer(to).onReturned(transfer, bytes);
            if (!whenIdle.isEmpty()) {
                runIfIdle();
            }
        }
    }

    @Override
    public void onClosed(int from, String reason) {
        if (closed) {
            return;
        }
        Peer peer = peer(from);
        boolean isFormer = peers.isFormer(peer);
        boolean hasLeft = !isFormer && groups.hasLeft(from);
        if (!lost && !isFormer && !hasLeft) {
            losses.lost(membership().life(from), reason);
        }
        peer.closedByPeer();
        groupFrames.forget(from);
        groups.gone(from, hasLeft);
        if (isFormer) {
            peers.renew(peer);
        }
        if (!whenIdle.isEmpty()) {
            runIfIdle();
        }
    }

    @Override
    public void onMet(Life life) {
        joining.met(life);
    }

    @Override
    public void onStale(long generation, String text) {
        joining.stale(generation, text);
    }

    @Override
    public void onReplaced(String text) {
        joining.replaced(text);
    }

    @Override
    public void onLost(String text) {
        lose(text);
    }
}

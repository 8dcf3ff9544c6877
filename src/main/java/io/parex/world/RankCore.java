package io.parex.world;

import io.parex.ErrorKind;
import io.parex.planner.AlgorithmOverrides;
import io.parex.planner.AlgorithmRegistry;
import io.parex.planner.Selector;
import io.parex.protocol.Frame;
import io.parex.tensor.BufferPool;
import io.parex.transport.ConnectionStats;
import io.parex.transport.Link;
import io.parex.transport.Network;
import io.parex.transport.OwnerLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

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
    private final AtomicReferenceArray<Peer> peers;
    private final Joining joining;
    private final Losses losses;
    private final Map<Long, GroupCore> groups = new HashMap<>();
    private final List<CallObserver> observers = new CopyOnWriteArrayList<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final List<Runnable> whenIdle = new ArrayList<>();
    private boolean closed;

    RankCore(int rank, int size, WorldOptions options, Network network) {
        this.rank = rank;
        this.options = options;
        this.network = network;
        AlgorithmRegistry registry = AlgorithmRegistry.standard();
        this.selector = new Selector(registry, AlgorithmOverrides.parse(options.algorithms(), registry));
        this.peers = new AtomicReferenceArray<>(size);
        this.joining = new Joining(this, size, options, network);
        this.losses = new Losses(this, size);
        network.receive(this);
    }

    Joining joining() {
        return joining;
    }

    int rank() {
        return rank;
    }

    WorldOptions options() {
        return options;
    }

    OwnerLoop loop() {
        return network.loop();
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

    void add(GroupCore group) {
        groups.put(group.id(), group);
    }

    /** The peer of that rank in the world; a link is made when first needed. */
    Peer peer(int worldRank) {
        Peer peer = peers.get(worldRank);
        if (peer == null) {
            peer = new Peer(worldRank, network);
            peers.set(worldRank, peer);
        }
        return peer;
    }

    /** Traffic per peer to which there is or was a link. Any thread. */
    List<PeerStats> stats() {
        List<PeerStats> stats = new ArrayList<>();
        for (int i = 0; i < peers.length(); i++) {
            Peer peer = peers.get(i);
            if (peer != null) {
                stats.add(peer.stats());
            }
        }
        return stats;
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
        if (groups.values().stream().allMatch(GroupCore::isIdle)
                && peerList().stream().noneMatch(Peer::holdsLent)) {
            List<Runnable> tasks = List.copyOf(whenIdle);
            whenIdle.clear();
            tasks.forEach(Runnable::run);
        }
    }

    private List<Peer> peerList() {
        List<Peer> list = new ArrayList<>();
        for (int i = 0; i < peers.length(); i++) {
            if (peers.get(i) != null) {
                list.add(peers.get(i));
            }
        }
        return list;
    }

    void failAll(ErrorKind kind, String text) {
        groups.values().forEach(group -> group.failAll(kind, text));
    }

    void leaveAll() {
        groups.values().forEach(GroupCore::leave);
    }

    /** Closes the links; nothing runs any more. */
    void close(String reason) {
        closed = true;
        peerList().forEach(peer -> peer.close(reason));
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
            case Frame.Open open -> group(open.group()).onOpen(member(open.group(), from), open);
            case Frame.Opened opened -> group(opened.group()).onOpened(member(opened.group(), from), opened);
            case Frame.Grant grant -> group(grant.group()).onGrant(member(grant.group(), from), grant);
            case Frame.Envelope envelope ->
                group(envelope.group()).messages().onEnvelope(member(envelope.group(), from), envelope);
            case Frame.Fail fail -> group(fail.group()).failed(fail.call(), fail.failure());
            case Frame.Inquire inquire -> group(inquire.group()).onInquire(member(inquire.group(), from), inquire);
            case Frame.Answer answer -> group(answer.group()).onAnswer(member(answer.group(), from), answer);
            case Frame.Leave leave ->
                group(leave.group())
                        .left(member(leave.group(), from), leave.nextCall(), ErrorKind.LEFT, "left the group");
            case Frame.Lives lives -> joining.told(from, lives.lives());
            case Frame.Lost lost -> lost(lost);
            case Frame.Rejoin rejoin -> group(rejoin.group()).returned(member(rejoin.group(), from));
            case Frame.Rejoined rejoined ->
                group(rejoined.group()).presence().answered(member(rejoined.group(), from), rejoined.nextCall());
        }
    }

    /** Others have lost a rank: so has this one, also if it would go on trying, and whoever takes its place. */
    private void lost(Frame.Lost notice) {
        if (notice.rank() != rank) {
            losses.lost(notice.rank(), notice.reason());
            peer(notice.rank()).lose(notice.reason());
        }
    }

    /** Calls that need rank {@code rank} of the world cannot succeed any more. */
    void failPeer(int rank, String reason) {
        for (GroupCore group : groups.values()) {
            if (group.has(rank) && !group.departures().isGone(group.groupRank(rank))) {
                group.left(group.groupRank(rank), 0, ErrorKind.PEER_FAILED, "is lost (" + reason + ")");
            }
        }
    }

    private GroupCore group(long id) {
        GroupCore group = groups.get(id);
        if (group == null) {
            throw new IllegalStateException("no group " + Long.toHexString(id) + " on rank " + rank);
        }
        return group;
    }

    private int member(long group, int worldRank) {
        return group(group).groupRank(worldRank);
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
        boolean leftInOrder = groups.values().stream()
                .filter(group -> group.has(from))
                .allMatch(group -> group.departures().isGone(group.groupRank(from)));
        if (!leftInOrder) {
            losses.lost(from, reason);
        }
        peer(from).closedByPeer();
        groups.values().stream()
                .filter(group -> group.has(from))
                .forEach(group -> group.presence().lost(group.groupRank(from)));
        if (!whenIdle.isEmpty()) {
            runIfIdle();
        }
    }
}

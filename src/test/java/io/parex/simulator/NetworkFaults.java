package io.parex.simulator;

import io.parex.protocol.link.LinkPhase;
import io.parex.protocol.link.PeerLink;
import io.parex.tensor.BufferPool;
import io.parex.transport.Network;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a test makes go wrong with processes and connections, at a time of its choice. */
public final class NetworkFaults {
    /** What a slow rank reads. */
    private static final long SLOW_NANOS_PER_BYTE = 500;

    /** What the network holds of what a slow rank has not read. */
    private static final long SLOW_BACKLOG_NANOS = 50_000_000;

    private static final long OWN_BYTES = 256 << 20;

    private record Way(SimulatedRank from, SimulatedRank to) {}

    private final Simulation simulation;
    private final Map<Way, Long> stalled = new HashMap<>();
    private final Map<SimulatedRank, Long> slow = new HashMap<>();
    private final List<BufferPool> pools = new ArrayList<>();

    NetworkFaults(Simulation simulation) {
        this.simulation = simulation;
    }

    /** Gives every rank memory of its own, so that a process that vanishes takes along only its own. */
    public void separateMemory(long poolBytes) {
        for (int rank = 0; rank < simulation.size(); rank++) {
            simulation.replace(rank, life(rank, simulation.nonce(rank), poolBytes), false);
        }
    }

    private SimulatedRank life(int rank, long nonce, long poolBytes) {
        BufferPool pool = new BufferPool(poolBytes, "parex.scratch.max-bytes");
        BufferPool arrivals = new BufferPool(OWN_BYTES);
        pools.add(pool);
        pools.add(arrivals);
        return new SimulatedRank(simulation, rank, nonce, pool, arrivals);
    }

    /**
     * The process of a rank vanishes.
     *
     * @param silently whether its host does too, so that connections stay and dials are not answered
     */
    public void crash(int rank, boolean silently) {
        crash(simulation.rank(rank), silently);
    }

    /** The process that sees {@code network} vanishes, of whatever rank it is or was. */
    public void crash(Network network) {
        crash((SimulatedRank) network, false);
    }

    private void crash(SimulatedRank life, boolean silently) {
        if (!life.isDead()) {
            life.die(silently);
            simulation.wires().of(life).forEach(each -> each.lost(life, silently));
        }
    }

    /** Another process takes the place of a rank that has crashed; what it sees. */
    public Network restart(int rank) {
        return restart(rank, false);
    }

    /** The same; {@code elsewhere}, so that who looks for it where it was finds the process before. */
    public Network restart(int rank, boolean elsewhere) {
        simulation.replace(rank, life(rank, simulation.random().nextLong(), OWN_BYTES), elsewhere);
        return simulation.rank(rank);
    }

    /** Whether the process of a rank is gone. */
    public boolean isDead(int rank) {
        return simulation.rank(rank).isDead();
    }

    /** Nothing gets from one rank to another for a time, and nobody is told. */
    public void stall(int from, int to, long nanos) {
        stalled.merge(new Way(simulation.rank(from), simulation.rank(to)), simulation.nowNanos() + nanos, Math::max);
    }

    /** A rank reads slowly for a time. */
    public void slow(int rank, long nanos) {
        slow.merge(simulation.rank(rank), simulation.nowNanos() + nanos, Math::max);
    }

    /** The connection of two ranks breaks. */
    public void cut(int a, int b) {
        SimulatedConnection connection = simulation.wires().between(a, b);
        if (connection != null) {
            connection.cut();
        }
    }

    /** The connection of two ranks breaks, of which one of them hears only {@code laterNanos} later. */
    public void cutHalf(int a, int b, long laterNanos) {
        SimulatedConnection connection = simulation.wires().between(a, b);
        if (connection != null) {
            connection.cutHalf(laterNanos);
        }
    }

    /** The greetings of the connections that were are delivered once more. */
    public void greetAgain(int from, int to) {
        if (!isDead(from) && !isDead(to)) {
            simulation.at(
                    simulation.nowNanos(),
                    simulation.rank(to),
                    () -> simulation.wires().greetAgain(from, to));
        }
    }

    /** Where the end at rank {@code from} of its link to {@code to} is. */
    public LinkPhase phase(int from, int to) {
        return link(from, to).phase();
    }

    /** The end at rank {@code from} of its link to {@code to}. */
    PeerLink link(int from, int to) {
        return simulation.wires().link(from, to);
    }

    /** When bytes may leave. */
    long freeNanos(SimulatedRank from, SimulatedRank to, long lastArrivalNanos) {
        long until = stalled.getOrDefault(new Way(from, to), 0L);
        boolean full = slow.containsKey(to) && lastArrivalNanos - simulation.nowNanos() > SLOW_BACKLOG_NANOS;
        return Math.max(until, full ? lastArrivalNanos - SLOW_BACKLOG_NANOS / 2 : 0);
    }

    /** When a greeting and its answer get through. */
    long dialNanos(SimulatedRank from, SimulatedRank to) {
        return Math.max(stalled.getOrDefault(new Way(from, to), 0L), stalled.getOrDefault(new Way(to, from), 0L));
    }

    long slownessNanos(SimulatedRank reader, long bytes) {
        Long until = slow.get(reader);
        if (until != null && until < simulation.nowNanos()) {
            slow.remove(reader);
            return 0;
        }
        return until == null ? 0 : bytes * SLOW_NANOS_PER_BYTE;
    }

    void close() {
        pools.forEach(BufferPool::close);
    }
}

package io.parex.telemetry;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.parex.schedule.Primitive;
import io.parex.world.CallObserver;
import io.parex.world.CallRecord;
import io.parex.world.PeerStats;
import io.parex.world.World;
import java.util.function.ToDoubleFunction;

/** The meters of one rank: counts its operations and shows its state for as long as the registry lives. */
public final class WorldMeters implements CallObserver {
    /**
     * In a world of more ranks, traffic is not told apart by peer: the series of all ranks together grow with the
     * square of the world's size.
     */
    static final int MAX_RANKS_WITH_PEERS = 128;

    private final MeterRegistry registry;
    private final String rank;
    private final PrimitiveMeters[] primitives = new PrimitiveMeters[Primitive.values().length];

    private WorldMeters(MeterRegistry registry, String rank) {
        this.registry = registry;
        this.rank = rank;
    }

    /** Registers the meters of {@code world} and counts its operations from now on. Any thread. */
    public static void bind(World world, MeterRegistry registry) {
        WorldMeters meters = new WorldMeters(registry, Integer.toString(world.rank()));
        meters.bindState(world);
        if (world.size() <= MAX_RANKS_WITH_PEERS) {
            for (int peer = 0; peer < world.size(); peer++) {
                if (peer != world.rank()) {
                    meters.bindPeer(world, peer);
                }
            }
        }
        world.observe(meters);
    }

    @Override
    public void ended(CallRecord call) {
        int index = call.primitive().ordinal();
        PrimitiveMeters meters = primitives[index];
        if (meters == null) {
            meters = new PrimitiveMeters(registry, call.primitive(), rank);
            primitives[index] = meters;
        }
        meters.record(call);
    }

    private void bindState(World world) {
        gauge(MeterNames.OPERATIONS_IN_FLIGHT, world, World::inFlight, rank);
        gauge(MeterNames.SCRATCH_BYTES, world, World::scratchBytes, rank);
        gauge(MeterNames.SCRATCH_LIMIT_BYTES, world, World::scratchLimitBytes, rank);
        gauge(MeterNames.RANKS_MISSING, world, of -> of.missing().size(), rank);
        gauge(MeterNames.RANKS_LOST, world, of -> of.lostRanks().size(), rank);
        gauge(MeterNames.EPOCH, world, of -> of.group().epoch(), rank);
        counter(MeterNames.CONNECTIONS_RESUMED, world, World::resumedConnections, rank);
        for (String reason : World.refusalReasons()) {
            counter(MeterNames.CONNECTIONS_REFUSED, world, of -> of.refusedConnections(reason), reason, rank);
        }
    }

    private void bindPeer(World world, int peer) {
        String label = Integer.toString(peer);
        gauge(MeterNames.PEER_CONNECTED, world, of -> stats(of, peer).connected() ? 1 : 0, label, rank);
        peerBytes(world, of -> stats(of, peer).bytesIn(), "in", label);
        peerBytes(world, of -> stats(of, peer).bytesOut(), "out", label);
    }

    private static PeerStats stats(World world, int peer) {
        for (PeerStats stats : world.peers()) {
            if (stats.peer() == peer) {
                return stats;
            }
        }
        return new PeerStats(peer, false, 0, 0, 0);
    }

    private void peerBytes(World world, ToDoubleFunction<World> bytes, String direction, String peer) {
        counter(MeterNames.PEER_BYTES, world, bytes, direction, peer, rank);
    }

    private void counter(MeterNames name, World world, ToDoubleFunction<World> value, String... labels) {
        FunctionCounter.builder(name.meter(), world, value)
                .description(name.meaning())
                .baseUnit(name.baseUnit())
                .tags(name.tags(labels))
                .register(registry);
    }

    private void gauge(MeterNames name, World world, ToDoubleFunction<World> value, String... labels) {
        Gauge.builder(name.meter(), world, value)
                .description(name.meaning())
                .baseUnit(name.baseUnit())
                .tags(name.tags(labels))
                .register(registry);
    }
}

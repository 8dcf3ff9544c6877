package io.parex.service;

import io.parex.v1.GetWorldResponse;
import io.parex.v1.Group;
import io.parex.v1.HostedRank;
import io.parex.v1.Limits;
import io.parex.v1.Opened;
import io.parex.v1.Peer;
import io.parex.v1.RankState;
import io.parex.v1.SharedOffer;
import io.parex.v1.StagingUse;
import io.parex.world.PeerStats;
import io.parex.world.ProcessGroup;
import io.parex.world.World;
import io.parex.world.WorldState;
import java.util.Locale;
import java.util.Optional;

/** What the process knows of itself, as clients get it. */
final class Descriptions {
    private Descriptions() {}

    static GetWorldResponse world(Edge edge) {
        World any = edge.ranks().worlds().getFirst();
        GetWorldResponse.Builder response = GetWorldResponse.newBuilder()
                .setName(any.name())
                .setSize(any.size())
                .setVersion(edge.ranks().version())
                .setLimits(limits(edge.limits()))
                .setStaging(StagingUse.newBuilder()
                        .setUsedBytes(edge.staging().usedBytes())
                        .setLimitBytes(edge.staging().limitBytes()));
        edge.ranks().worlds().forEach(world -> response.addRanks(rank(world)));
        return response.build();
    }

    /** Where a rank is in its life, in words. */
    static String state(World world) {
        String state = world.state().name().toLowerCase(Locale.ROOT);
        return world.state() == WorldState.LOST ? state + ": " + world.lostBecause() : state;
    }

    private static HostedRank rank(World world) {
        HostedRank.Builder rank = HostedRank.newBuilder()
                .setRank(world.rank())
                .setState(RankState.valueOf("RANK_STATE_" + world.state().name()))
                .setInFlight(world.inFlight())
                .setRound(world.group().round());
        if (world.group().epoch() > 0) {
            rank.setEpoch(world.group().epoch());
        }
        world.peers().forEach(peer -> rank.addPeers(peer(peer)));
        world.groups().stream().filter(group -> group != world.group()).forEach(group -> rank.addGroups(group(group)));
        return rank.build();
    }

    /** What a session of the rank of {@code world} is told at its opening. */
    static Opened opened(World world, Edge edge, String sessionId, Optional<SharedOffer> offer) {
        Opened.Builder opened = Opened.newBuilder()
                .setRank(world.rank())
                .setWorld(world.name())
                .setWorldSize(world.size())
                .setLimits(limits(edge.limits()))
                .setVersion(edge.ranks().version())
                .setRound(world.group().round())
                .setSessionId(sessionId);
        if (world.group().epoch() > 0) {
            opened.setEpoch(world.group().epoch());
        }
        offer.ifPresent(opened::setShared);
        return opened.build();
    }

    static Group group(ProcessGroup group) {
        return Group.newBuilder()
                .setName(group.name())
                .addAllMembers(group.members())
                .setRank(group.rank())
                .setEpoch(group.epoch())
                .setRound(group.round())
                .build();
    }

    private static Peer peer(PeerStats stats) {
        return Peer.newBuilder()
                .setRank(stats.peer())
                .setConnected(stats.connected())
                .setBytesIn(stats.bytesIn())
                .setBytesOut(stats.bytesOut())
                .build();
    }

    static Limits limits(EdgeLimits limits) {
        return Limits.newBuilder()
                .setMaxChunkBytes(EdgeLimits.MAX_CHUNK_BYTES)
                .setInitialCreditBytes(limits.windowBytes())
                .setMaxOperations(limits.operations())
                .setMaxHeldCalls(EdgeLimits.CALLS_HELD)
                .build();
    }
}

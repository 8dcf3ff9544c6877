package io.parex.client;

import io.parex.v1.GetWorldResponse;
import io.parex.v1.HostedRank;
import java.util.List;
import java.util.Locale;

/**
 * What a process says of its world.
 *
 * @param name of the world
 * @param size number of ranks
 * @param version of the server
 * @param ranks those that the process hosts
 * @param stagingBytes memory in use between clients and fabric
 */
public record WorldInfo(String name, int size, String version, List<Rank> ranks, long stagingBytes) {

    /**
     * A rank that the process hosts.
     *
     * @param rank its number
     * @param state such as {@code ready}
     * @param inFlight operations submitted and not ended
     * @param epoch sum of the generations of all ranks, 0 while not all are known
     * @param peers ranks that it has exchanged with
     */
    public record Rank(int rank, String state, int inFlight, long epoch, List<Peer> peers) {}

    /**
     * The traffic of a rank with one other.
     *
     * @param rank the other
     * @param connected whether there is a link
     * @param bytesIn tensor bytes received from it
     * @param bytesOut tensor bytes sent to it
     */
    public record Peer(int rank, boolean connected, long bytesIn, long bytesOut) {}

    static WorldInfo of(GetWorldResponse response) {
        return new WorldInfo(
                response.getName(),
                response.getSize(),
                response.getVersion(),
                response.getRanksList().stream().map(WorldInfo::rank).toList(),
                response.getStaging().getUsedBytes());
    }

    private static Rank rank(HostedRank rank) {
        String state = rank.getState().name().substring("RANK_STATE_".length()).toLowerCase(Locale.ROOT);
        List<Peer> peers = rank.getPeersList().stream()
                .map(peer -> new Peer(peer.getRank(), peer.getConnected(), peer.getBytesIn(), peer.getBytesOut()))
                .toList();
        return new Rank(rank.getRank(), state, rank.getInFlight(), rank.getEpoch(), peers);
    }
}

package io.parex.service;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.world.ProcessGroup;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ranks whose client has failed. The other members of its groups wait for it in vain: their calls fail now, and those
 * they make later are refused, until a new client of that rank comes. Any thread.
 */
final class LostClients {
    private final HostedRanks ranks;
    private final Map<Integer, String> lost = new ConcurrentHashMap<>();

    LostClients(HostedRanks ranks) {
        this.ranks = ranks;
    }

    /** The client of {@code rank} has failed, which {@code text} says. */
    void add(int rank, String text) {
        lost.put(rank, text);
        // Each rank ends what it has in flight: a rank can wait for one that has nothing in flight itself.
        ranks.worlds().stream()
                .flatMap(world -> world.groups().stream())
                .filter(group -> group.members().contains(rank))
                .forEach(group -> group.abort(text));
    }

    /** {@code rank} has a client. */
    void found(int rank) {
        lost.remove(rank);
    }

    /** Refuses a collective of {@code group} if the client of another member has failed. */
    void check(ProcessGroup group) {
        lost.forEach((rank, text) -> {
            if (rank != group.world().rank() && group.members().contains(rank)) {
                throw new ParexException(
                        ErrorKind.ABORTED,
                        text + "; nothing was started, and nothing will be on this" + " group until rank " + rank
                                + " has a client again");
            }
        });
    }
}

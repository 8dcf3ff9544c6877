package io.parex.world;

import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.protocol.Membership;
import io.parex.protocol.Overlay;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Ranks that are lost: whoever finds one out tells the members at distance 2^k, and each passes it on once, so that
 * those hear of it as well who have no link to it. Lost is a process; another start of the rank may come. Owner loop
 * only.
 */
final class Losses {
    private static final System.Logger LOG = System.getLogger(Losses.class.getName());

    private final RankCore core;
    private final Membership membership;
    private final int[] overlay;
    private final Map<Integer, String> reasons = new HashMap<>();
    private volatile List<Integer> lost = List.of();

    Losses(RankCore core, int size) {
        this.core = core;
        this.membership = core.membership();
        this.overlay = Overlay.neighbours(core.rank(), size);
    }

    /** A life of another rank is lost, as this rank has found or has been told. */
    void lost(Life life, String reason) {
        if (life.generation() > 0) {
            core.joining().met(life);
        }
        if (!membership.lose(life)) {
            return;
        }
        reasons.put(life.rank(), reason);
        look();
        LOG.log(
                System.Logger.Level.WARNING,
                "rank {0}: rank {1} is lost: {2}; calls that need it fail until it is started again and recovered",
                Integer.toString(core.rank()),
                Integer.toString(life.rank()),
                reason);
        core.failPeer(life.rank(), reason);
        Frame notice = new Frame.Lost(life, reason);
        Arrays.stream(overlay)
                .filter(peer -> !membership.isLost(peer))
                .forEach(peer -> core.peer(peer).send(notice));
        core.dropPeer(life, reason);
        core.joining().settle();
    }

    /** What is known of ranks has changed. */
    void look() {
        lost = IntStream.range(0, membership.size())
                .filter(membership::isLost)
                .boxed()
                .toList();
    }

    /** Ranks that are lost and not started again. Any thread. */
    List<Integer> ranks() {
        return lost;
    }

    /** Why a rank is lost. */
    String reason(int rank) {
        return reasons.getOrDefault(rank, "");
    }

    /** A process is new, and has not heard of those that are lost. */
    void tellAll(int peer) {
        for (int rank = 0; rank < membership.size(); rank++) {
            if (membership.isLost(rank) && rank != peer) {
                core.peer(peer).send(new Frame.Lost(membership.life(rank), reason(rank)));
            }
        }
    }
}

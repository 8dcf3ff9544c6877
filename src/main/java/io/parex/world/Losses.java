package io.parex.world;

import io.parex.protocol.Frame;
import io.parex.protocol.Overlay;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Ranks that are lost: whoever finds one out tells the members at distance 2^k, and each passes it on once, so that
 * those hear of it as well who have no link to it. Owner loop only.
 */
final class Losses {
    private final RankCore core;
    private final int[] overlay;
    private final BitSet lost;

    Losses(RankCore core, int size) {
        this.core = core;
        this.overlay = Overlay.neighbours(core.rank(), size);
        this.lost = new BitSet(size);
    }

    /** Rank {@code rank} is lost, as this rank has found or has been told. */
    void lost(int rank, String reason) {
        if (lost.get(rank) || rank == core.rank()) {
            return;
        }
        lost.set(rank);
        core.failPeer(rank, reason);
        Frame notice = new Frame.Lost(rank, reason);
        Arrays.stream(overlay)
                .filter(peer -> !lost.get(peer))
                .forEach(peer -> core.peer(peer).send(notice));
    }
}

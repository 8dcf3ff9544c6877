package io.parex.world;

import io.parex.protocol.Frame;
import io.parex.protocol.Overlay;
import io.parex.protocol.Standing;
import java.util.List;

/** How one rank tells others where the members of a group stand, from neighbour to neighbour. Owner loop only. */
final class Words {
    private final RankCore core;
    private final long key;
    private final int[] members;
    private final int[] neighbours;

    /**
     * For a group.
     *
     * @param key what it is called in all its epochs
     * @param rank this one, in the group
     * @param members world ranks
     */
    Words(RankCore core, long key, int rank, int[] members) {
        this.core = core;
        this.key = key;
        this.members = members;
        this.neighbours = Overlay.neighbours(rank, members.length);
    }

    /** To all neighbours but member {@code except}. */
    void spread(List<Standing> news, int except) {
        for (int neighbour : neighbours) {
            if (neighbour != except) {
                tell(neighbour, news);
            }
        }
    }

    /** To one member. */
    void tell(int member, List<Standing> news) {
        for (int from = 0; from < news.size(); from += Limits.STANDINGS_PER_FRAME) {
            int to = Math.min(news.size(), from + Limits.STANDINGS_PER_FRAME);
            core.peer(members[member]).send(new Frame.Recover(key, news.subList(from, to)));
        }
    }

    /** To the process that a rank of the world is now, which has heard nothing of what was said before. */
    void renewed(int worldRank, List<Standing> all) {
        for (int neighbour : neighbours) {
            if (members[neighbour] == worldRank) {
                tell(neighbour, all);
            }
        }
    }
}

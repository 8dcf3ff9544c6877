package io.parex.world;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.protocol.Failure;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The groups of one rank: all ranks of the world, and those that its callers have created. Creating one takes no word
 * with the other members; what they say of it before is held. Owner loop only.
 */
final class Groups {
    /** What the group of all ranks is called in all its epochs. */
    static final long ALL = 0;

    private final RankCore core;
    private final GroupFrames frames;
    private final Map<Long, GroupEpochs> open = new LinkedHashMap<>();
    private final Map<Long, Lineage> lineages = new HashMap<>();

    Groups(RankCore core, GroupFrames frames) {
        this.core = core;
        this.frames = frames;
    }

    void add(GroupEpochs group) {
        open.put(group.key(), group);
        frames.add(group.current());
    }

    /** Those that are not over, the one of all ranks first. */
    Collection<GroupEpochs> open() {
        return open.values();
    }

    /** The group that is called so in all its epochs; null if there is none. */
    GroupEpochs of(long key) {
        return open.get(key);
    }

    /**
     * Creates a group.
     *
     * @param members world ranks, this one among them
     * @throws ParexException of kind {@code argument} if one of that name is open, {@code overloaded} at a limit
     */
    GroupEpochs create(String name, List<Integer> members) {
        for (GroupEpochs each : open.values()) {
            if (each.current().name().equals(name) && !each.isClosed()) {
                throw refused(
                        ErrorKind.ARGUMENT,
                        "a group " + name + " of ranks " + Arrays.toString(each.members())
                                + " of the world is open on rank " + core.rank()
                                + "; close it first or take another name");
            }
        }
        if (open.size() >= Limits.GROUPS) {
            throw refused(
                    ErrorKind.OVERLOADED, open.size() + " groups are open on rank " + core.rank() + ", the limit");
        }
        int[] ranks = members.stream().mapToInt(Integer::intValue).toArray();
        long key = Identity.of(name, ranks);
        GroupEpochs closed = of(key);
        if (closed != null) {
            GroupEpochs again = closed.again();
            open.put(key, again);
            return again;
        }
        Lineage lineage = lineages.get(key);
        if (lineage == null) {
            if (lineages.size() >= Limits.GROUP_NAMES) {
                throw refused(
                        ErrorKind.OVERLOADED,
                        lineages.size() + " groups of different names or members were created on rank " + core.rank()
                                + ", the limit; names of closed groups may be used again");
            }
            lineage = new Lineage();
            lineages.put(key, lineage);
        }
        GroupEpochs group = GroupEpochs.create(core, name, key, ranks, lineage);
        noteGone(group, ranks);
        add(group);
        group.introduce();
        return group;
    }

    private static ParexException refused(ErrorKind kind, String what) {
        return ParexException.refused(kind, what + "; nothing was created");
    }

    /** Members may be gone already, as calls of the group of all ranks have shown. */
    private void noteGone(GroupEpochs group, int[] ranks) {
        GroupCore all = of(ALL).current();
        for (int member = 0; member < ranks.length; member++) {
            Failure gone = all.departures().of(ranks[member]);
            if (core.membership().isLost(ranks[member])) {
                group.current()
                        .left(
                                member,
                                0,
                                ErrorKind.PEER_FAILED,
                                "is lost (" + core.losses().reason(ranks[member]) + ")");
            } else if (gone != null && core.peer(ranks[member]).isClosed()) {
                group.current().left(member, 0, gone.kind(), "has left the world");
            }
        }
    }

    /** This rank is no member of a group any more; whether it was one. */
    boolean close(GroupEpochs group) {
        if (group.isClosed()) {
            return false;
        }
        if (group.close()) {
            open.remove(group.key());
            frames.forgetEnded();
        }
        return true;
    }

    /** Whether a rank has left the world in good order. */
    boolean hasLeft(int worldRank) {
        Failure departure = of(ALL).current().departures().of(worldRank);
        return departure != null && departure.kind() == ErrorKind.LEFT;
    }

    /**
     * A rank says nothing any more.
     *
     * @param hasLeft whether it has left the world, and so the groups that it had not created yet
     */
    void gone(int worldRank, boolean hasLeft) {
        for (GroupEpochs group : open.values()) {
            GroupCore current = group.current();
            if (current.has(worldRank)) {
                int member = current.groupRank(worldRank);
                current.presence().lost(member);
                if (hasLeft && !current.departures().isGone(member)) {
                    current.left(member, 0, ErrorKind.LEFT, "has left the world");
                }
            }
        }
    }
}

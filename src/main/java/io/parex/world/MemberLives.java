package io.parex.world;

import io.parex.protocol.Life;
import io.parex.protocol.Membership;
import io.parex.schedule.Placement;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The lives of the members of a group as they were when the group looked at them last. Owner loop only. */
final class MemberLives {
    private final Membership view;
    private final int[] members;
    private Life[] known;

    /**
     * Has not looked yet.
     *
     * @param members world ranks
     */
    MemberLives(Membership view, int[] members) {
        this.view = view;
        this.members = members;
    }

    /** Whether it has looked. */
    boolean areKnown() {
        return known != null;
    }

    /** Those of present lives that are others than at the last look; all at the first. */
    List<Life> look() {
        Life[] before = known;
        known = Arrays.stream(members).mapToObj(view::life).toArray(Life[]::new);
        return IntStream.range(0, members.length)
                .filter(member -> before == null || isAnother(before[member], known[member]))
                .mapToObj(member -> known[member])
                .toList();
    }

    private static boolean isAnother(Life before, Life now) {
        return before.generation() != now.generation() || !before.isSameProcess(now);
    }

    /** Which members share a host, by the addresses that they have said; unknown before the first look. */
    Placement placement() {
        return known == null ? Placement.UNKNOWN : Placement.of(members.length, member -> host(known[member]));
    }

    /** The address without its port; one that does not say where it is counts as alone. */
    private static String host(Life life) {
        int colon = life.address().lastIndexOf(':');
        return colon > 0 ? life.address().substring(0, colon) : "rank " + life.rank();
    }

    /** Members that were started again before the last look. */
    List<Integer> again() {
        return IntStream.range(0, members.length)
                .filter(member -> known[member].generation() > 1)
                .boxed()
                .toList();
    }
}

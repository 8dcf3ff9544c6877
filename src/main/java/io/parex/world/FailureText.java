package io.parex.world;

import io.parex.ErrorKind;
import io.parex.protocol.Descriptor;
import io.parex.protocol.Failure;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** How a failed call of a group on one rank is told: what, where, in which call, and what is now true. Any thread. */
final class FailureText {
    private static final int MEMBERS_NAMED = 16;

    private final String group;
    private final int rank;

    /**
     * For a group.
     *
     * @param rank in the group
     * @param members world ranks
     */
    FailureText(String name, int rank, int[] members) {
        this.group = name + inTheWorld(members);
        this.rank = rank;
    }

    /** Which ranks of the world the ranks of the group are, where they are others; empty if they are the same. */
    private static String inTheWorld(int[] members) {
        if (IntStream.range(0, members.length).allMatch(member -> members[member] == member)) {
            return "";
        }
        String more = members.length > MEMBERS_NAMED ? ", ... " + members.length + " in all" : "";
        return IntStream.of(members)
                .limit(MEMBERS_NAMED)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", ", " (ranks ", more + " of the world)"));
    }

    /** The group, in words. */
    String group() {
        return group;
    }

    /** The whole text; {@code outdated} says whether calls are refused until a recovery. */
    String text(long number, Descriptor descriptor, Failure failure, boolean outdated) {
        return failure.text() + " [rank " + rank + " of group " + group + ", call #" + number + " " + descriptor
                + (failure.origin() == rank ? "" : ", found by rank " + failure.origin())
                + "]; this call has failed on every member that had not completed it, "
                + outlook(failure, outdated);
    }

    private static String outlook(Failure failure, boolean outdated) {
        if (outdated && failure.kind() == ErrorKind.LEFT) {
            return "and this rank is not a member any more";
        }
        if (outdated) {
            return "and calls are refused until recover was called on every member";
        }
        return switch (failure.kind()) {
            case PEER_FAILED ->
                "and so do the next ones that need that rank, until it is started again and recover was called on every"
                        + " member";
            case LEFT -> "and so do the next ones that need that rank, until it takes part again";
            default -> "the group can be used for the next call";
        };
    }
}

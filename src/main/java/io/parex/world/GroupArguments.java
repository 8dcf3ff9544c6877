package io.parex.world;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Refuses groups that cannot be meant, before anything is created. Any thread. */
final class GroupArguments {
    private GroupArguments() {}

    /**
     * Throws a {@link ParexException} that says what is wrong.
     *
     * @param rank in the world, of the one that creates the group
     * @param size of the world
     */
    static void require(String name, List<Integer> members, int rank, int size) {
        if (name == null || name.isBlank()) {
            throw ParexException.refused(ErrorKind.ARGUMENT, "a group needs a name; nothing was created");
        }
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > Limits.NAME_BYTES) {
            throw ParexException.refused(
                    ErrorKind.ARGUMENT,
                    "the name of a group has " + bytes + " bytes of UTF-8, more than " + Limits.NAME_BYTES
                            + "; nothing was created");
        }
        if (name.equals(World.WORLD_GROUP)) {
            throw refused(name, "that is the name of the group of all ranks");
        }
        if (members == null || members.isEmpty()) {
            throw refused(name, "it has no members");
        }
        Set<Integer> seen = new HashSet<>();
        for (Integer member : members) {
            if (member == null || member < 0 || member >= size) {
                throw refused(name, "member " + member + " is not a rank of the world, which has " + size);
            }
            if (!seen.add(member)) {
                throw refused(name, "rank " + member + " is named twice");
            }
        }
        if (!seen.contains(rank)) {
            throw refused(
                    name,
                    "rank " + rank + " of the world is not a member: the members are "
                            + (members.size() > 16 ? members.size() + " others" : members)
                            + "; only members create a group and call on it");
        }
    }

    /** Why nothing can be called on a group that was closed on its rank {@code rank}. */
    static ParexException closed(String name, int rank) {
        return ParexException.refused(
                ErrorKind.ARGUMENT, "group " + name + " was closed on rank " + rank + "; nothing was started");
    }

    private static ParexException refused(String name, String what) {
        return ParexException.refused(ErrorKind.ARGUMENT, "group " + name + ": " + what + "; nothing was created");
    }
}

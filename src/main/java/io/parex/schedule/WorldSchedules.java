package io.parex.schedule;

import java.util.List;
import java.util.Set;

/**
 * The schedules of all ranks for one call, as the validator takes them.
 *
 * @param ranks one schedule per rank, in rank order
 * @param count elements of the tensor
 * @param root group rank of the root, 0 for rootless primitives
 * @param inPlace ranks whose output is their input; a broadcast is in place on all ranks by definition
 */
public record WorldSchedules(List<Schedule> ranks, int count, int root, Set<Integer> inPlace) {

    public WorldSchedules {
        ranks = List.copyOf(ranks);
        inPlace = Set.copyOf(inPlace);
    }

    /** Ranks of the world. */
    public int size() {
        return ranks.size();
    }

    Primitive primitive() {
        return ranks.getFirst().primitive();
    }

    boolean aliased(int rank) {
        return primitive() == Primitive.BROADCAST || inPlace.contains(rank);
    }

    /** Elements of a rank's buffer. */
    long length(int rank, Buffer buffer) {
        return buffer.isScratch()
                ? ranks.get(rank).scratch().get(buffer.index()).length()
                : count;
    }
}

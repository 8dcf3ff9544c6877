package io.parex.client;

import io.parex.ParexException;
import io.parex.v1.Group;
import io.smallrye.mutiny.Uni;
import java.util.List;

/**
 * A group of some ranks of the world, as the client of one of its members sees it. It is open until {@link #close()} or
 * the end of the session that has created it. Any thread.
 */
public final class ClientGroup extends ClientOperations {
    private final ParexClient client;
    private final Group group;

    ClientGroup(ParexClient client, Group group) {
        super(client.connection(), Epoch.of(group));
        this.client = client;
        this.group = group;
    }

    /** Name of the group. */
    public String name() {
        return group.getName();
    }

    /** Rank of this member in the group. */
    @Override
    public int rank() {
        return group.getRank();
    }

    /** Number of members. */
    @Override
    public int size() {
        return group.getMembersCount();
    }

    /** The members as ranks of the world, in the order of their ranks in the group. */
    public List<Integer> members() {
        return List.copyOf(group.getMembersList());
    }

    /**
     * The rank in the group of a rank of the world, such as for a root that a job knows by its rank in the world.
     *
     * @throws ParexException of kind {@code argument} if it is not a member
     */
    public int rankOf(int worldRank) {
        int member = group.getMembersList().indexOf(worldRank);
        if (member < 0) {
            throw ParexException.argument("rank " + worldRank + " of the world is not a member of group " + name());
        }
        return member;
    }

    /**
     * This rank is no member any more, unless another client of it has created the group as well. What is in flight
     * ends with kind {@code left}, and so does what other members call and need this one for. Starts when called;
     * completes when that has ended here.
     *
     * @return fails with kind {@code argument} if this session has closed it already
     */
    public Uni<Void> close() {
        return client.close(this);
    }
}

package io.parex.bench;

import io.parex.world.LocalWorld;
import io.parex.world.WorldOptions;
import java.util.List;

/** How the rank of a member meets those of the other members. One thread, which blocks. */
public interface Rendezvous extends AutoCloseable {

    /**
     * Listens for the others.
     *
     * @return the port, by which they find this rank
     * @throws io.parex.ParexException of kind {@code unavailable}
     */
    int listen(int rank, int ranks, WorldOptions options);

    /**
     * Joins the others, which listen.
     *
     * @param ports of all ranks, in order
     * @return the world, which closes what {@link #listen} has opened
     * @throws io.parex.ParexException of kind {@code unavailable}
     */
    LocalWorld join(List<Integer> ports);

    /** Stops listening, if the world was not joined. */
    @Override
    void close();
}

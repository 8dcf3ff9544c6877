package io.parex.discovery;

import io.smallrye.mutiny.Uni;
import java.util.List;

/** Where the ranks of a world can be dialled. Any thread. */
public interface Discovery {
    /** The port on which ranks listen for each other where nothing else is said. */
    int DEFAULT_PORT = 7610;

    /**
     * All addresses at which {@code rank} may be reached, in the order in which to try them; never empty.
     *
     * <p>Starts on subscription, and every subscription asks anew, except that an answer is used again until its time
     * to live ends, 5 s at most. Completes on the Vert.x context that subscribed, else on the loop of the lookups; at
     * once where nothing has to be looked up. Cancelling drops the answer. Fails with kind {@code unavailable} and the
     * cause in words, such as "name not found", to follow {@link #describe}; no failure is remembered.
     */
    Uni<List<Endpoint>> resolve(int rank);

    /** What {@link #resolve} looks up for {@code rank}, such as {@code job-3.job:7610}. */
    String describe(int rank);
}

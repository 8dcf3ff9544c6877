package io.parex.service;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.transport.shared.SharedDoor;
import io.parex.transport.shared.SharedLine;
import io.parex.v1.SharedOffer;
import io.parex.world.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Where clients on this machine get memory shared with the ranks hosted here: a socket for each rank, and the sessions
 * whose clients may come to it. Any thread.
 */
final class SharedDoors implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(SharedDoors.class);

    private final SharedBudget budget;
    private final Map<Integer, SharedDoor> doors = new HashMap<>();
    private final Map<String, Expected> expected = new ConcurrentHashMap<>();

    private record Expected(int rank, Consumer<SharedLine> session) {}

    private SharedDoors(SharedBudget budget) {
        this.budget = budget;
    }

    /** No memory is shared. */
    static SharedDoors none() {
        return new SharedDoors(new SharedBudget(0, 0));
    }

    /**
     * Opens a socket for each rank in {@code directory}, which is there.
     *
     * @param users that may come, besides this process's own and the superuser
     * @throws ParexException of kind {@code unavailable} if one cannot be made
     */
    static SharedDoors open(Path directory, Set<Integer> users, SharedBudget budget, List<World> ranks) {
        if (!Files.isDirectory(directory)) {
            throw new ParexException(
                    ErrorKind.UNAVAILABLE, Setting.SHARED_DIRECTORY + " is '" + directory + "', which is no directory");
        }
        SharedDoors all = new SharedDoors(budget);
        String fault = SharedDoor.fault(ranks.getFirst().loop());
        if (!fault.isEmpty()) {
            LOG.warnf("%s is set, but %s: clients use gRPC alone", Setting.SHARED_DIRECTORY, fault);
            return all;
        }
        try {
            for (World world : ranks) {
                Path path = directory.resolve("rank-" + world.rank() + ".sock");
                all.doors.put(
                        world.rank(),
                        new SharedDoor(path, world.loop(), users, (id, line) -> all.arrived(world.rank(), id, line)));
            }
        } catch (ParexException e) {
            all.close();
            throw e;
        }
        return all;
    }

    SharedBudget budget() {
        return budget;
    }

    /**
     * What a session of {@code rank} is offered, empty for nothing. Until {@link #forget} its client may come, once:
     * {@code session} gets its line, on the rank's loop.
     */
    Optional<SharedOffer> offer(int rank, String id, Consumer<SharedLine> session) {
        SharedDoor door = doors.get(rank);
        if (door == null) {
            return Optional.empty();
        }
        expected.put(id, new Expected(rank, session));
        return Optional.of(SharedOffer.newBuilder()
                .setSocketPath(door.path().toString())
                .setMaxBytes(budget.clientBytes())
                .build());
    }

    /** The session has ended. */
    void forget(String id) {
        expected.remove(id);
    }

    private void arrived(int rank, String id, SharedLine line) {
        Expected session = expected.get(id);
        if (session == null || session.rank() != rank || !expected.remove(id, session)) {
            line.refuse("rank " + rank + " has no open session of that id without shared memory");
        } else {
            session.session().accept(line);
        }
    }

    /** Takes no more clients. Waits; never on an event loop. */
    @Override
    public void close() {
        doors.values().forEach(SharedDoor::close);
    }
}

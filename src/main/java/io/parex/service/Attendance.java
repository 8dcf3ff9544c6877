package io.parex.service;

import io.parex.world.ProcessGroup;
import io.parex.world.World;
import io.smallrye.mutiny.Uni;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which ranks have sessions. A rank leaves its groups when the last session says so, and is back with the next: in
 * between, the other members must not wait for its calls. A session that only ends says nothing of who comes after it.
 * Any thread; its lock is held for handing over, so that the rank hears of both in order.
 */
final class Attendance {
    private final Map<Integer, Integer> sessions = new HashMap<>();

    /** A session of the rank of {@code world} opens; completes when all members know that the rank is there. */
    synchronized Uni<Void> opened(World world) {
        sessions.merge(world.rank(), 1, Integer::sum);
        List<Uni<Void>> heard =
                world.groups().stream().map(ProcessGroup::rejoin).toList();
        return Uni.combine().all().unis(heard).discardItems();
    }

    /** Whether the rank of {@code world} has one session only. */
    synchronized boolean isOnly(World world) {
        return sessions.getOrDefault(world.rank(), 0) == 1;
    }

    /** A session of the rank of {@code world} has ended, once for each that was opened. */
    synchronized void ended(World world, boolean leaves) {
        int left = sessions.merge(world.rank(), -1, Integer::sum);
        if (leaves && left == 0) {
            world.groups().forEach(ProcessGroup::leave);
        }
    }
}

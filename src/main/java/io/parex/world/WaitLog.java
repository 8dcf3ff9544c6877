package io.parex.world;

import io.parex.protocol.Durations;
import io.parex.transport.OwnerLoop;
import java.util.List;

/**
 * Warns of the collective calls of one group that wait: one line per warn interval, however many they are. What keeps
 * the oldest one keeps most of those behind it, so the line is about that one. Owner loop only.
 */
final class WaitLog {
    private static final System.Logger LOG = System.getLogger(WaitLog.class.getName());

    private final GroupCore group;
    private OwnerLoop.Timer timer;

    WaitLog(GroupCore group) {
        this.group = group;
    }

    /** A call has begun. */
    void begun() {
        if (timer == null) {
            // One timer per interval and not one per call: most calls end long before.
            timer = group.core().loop().schedule(intervalNanos(), this::look);
        }
    }

    /** No calls come any more: nothing is to keep the group. */
    void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private long intervalNanos() {
        return group.core().options().warnAfter().toNanos();
    }

    private void look() {
        List<CollectiveCall> waiting = group.waiting();
        if (waiting.isEmpty()) {
            timer = null;
            return;
        }
        CollectiveCall oldest = waiting.getFirst();
        long waited = group.core().loop().nanoTime() - oldest.startNanos();
        if (waited >= intervalNanos()) {
            warn(oldest, waiting.size(), waited);
            waited = 0;
        }
        timer = group.core().loop().schedule(intervalNanos() - waited, this::look);
    }

    private void warn(CollectiveCall oldest, int count, long waited) {
        LOG.log(
                System.Logger.Level.WARNING,
                "rank {0}: calls that wait on group {1}: {2}; the oldest, #{3} {4}, has waited {5}: {6}",
                Integer.toString(group.rank()),
                group.name(),
                Integer.toString(count),
                Long.toString(oldest.number()),
                oldest.descriptor(),
                Durations.words(waited),
                oldest.search().whoIsMissing());
    }
}

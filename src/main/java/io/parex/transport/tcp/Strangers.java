package io.parex.transport.tcp;

import io.parex.protocol.wire.RejectReason;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Connections that were refused: all are counted, by reason, and of each cause one line in ten seconds says what it is
 * and how many there were, so that a port scan does not fill the log and one cause does not hide another.
 */
final class Strangers {
    private static final System.Logger LOG = System.getLogger(Strangers.class.getName());
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Causes told apart in the log; of more than that the rest are as one. */
    private static final int CAUSES = 64;

    /** When a cause was last logged, and how many there have been since. */
    private record Logged(long nanos, long since) {}

    private final Map<String, Long> counts = new ConcurrentHashMap<>();
    private final Map<String, Logged> causes = new HashMap<>();

    /** By the reasons of {@link io.parex.transport.ConnectionStats}. Any thread. */
    Map<String, Long> counts() {
        return Map.copyOf(counts);
    }

    /** One more; owner loop only. */
    void refused(SocketAddress from, RejectReason reason, String why) {
        counts.merge(reason.name().toLowerCase(Locale.ROOT), 1L, Long::sum);
        String cause = causes.containsKey(why) || causes.size() < CAUSES ? why : "others";
        long now = System.nanoTime();
        Logged last = causes.get(cause);
        if (last != null && now - last.nanos < QUIET_NANOS) {
            causes.put(cause, new Logged(last.nanos, last.since + 1));
            return;
        }
        causes.put(cause, new Logged(now, 0));
        LOG.log(
                System.Logger.Level.WARNING,
                "refused a connection of {0}: {1}{2}",
                Sockets.text(from),
                why,
                last == null || last.since == 0 ? "" : " (and " + last.since + " more since the last such line)");
    }
}

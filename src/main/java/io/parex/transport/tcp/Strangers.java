package io.parex.transport.tcp;

import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Connections that were refused: all are counted, and one line in ten seconds says what the last was and how many there
 * were, so that a port scan does not fill the log.
 */
final class Strangers {
    private static final System.Logger LOG = System.getLogger(Strangers.class.getName());
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

    private volatile long count;
    private long logged;
    private long lastLineNanos = System.nanoTime() - QUIET_NANOS;

    /** Any thread. */
    long count() {
        return count;
    }

    /** One more; owner loop only. */
    void refused(SocketAddress from, String why) {
        count++;
        long now = System.nanoTime();
        if (now - lastLineNanos < QUIET_NANOS) {
            return;
        }
        lastLineNanos = now;
        long others = count - logged - 1;
        logged = count;
        LOG.log(
                System.Logger.Level.WARNING,
                "refused a connection of {0}: {1}{2}",
                Sockets.text(from),
                why,
                others == 0 ? "" : " (and " + others + " others since the last such line)");
    }
}

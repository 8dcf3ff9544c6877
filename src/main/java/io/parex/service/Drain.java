package io.parex.service;

import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * The first part of a shutdown: says not ready, refuses new calls, lets those in flight end. Whoever stops the
 * application runs it before: Quarkus closes the listener of health and metrics first and tells its beans after, and
 * whoever watches a rank wants to see it drain, and what its last calls were.
 */
@Singleton
public final class Drain {
    private static final Logger LOG = Logger.getLogger(Drain.class);

    private final Edge edge;
    private final RankHealth health;
    private final Duration limit;
    private boolean over;

    Drain(Edge edge, RankHealth health, ParexConfig config) {
        this.edge = edge;
        this.health = health;
        this.limit = config.timeout().drain();
    }

    /**
     * Logs that a shutdown has begun, and how the calls ended; waits for them, no longer than the limit, and not at all
     * if there are none. Idempotent: a second caller waits with the first. Never on an event loop.
     */
    public void run() {
        run(Logger.Level.INFO);
    }

    /** The same where nobody has asked for the end: after a start that failed, or when code is replaced. */
    void runQuietly() {
        run(Logger.Level.DEBUG);
    }

    private synchronized void run(Logger.Level level) {
        if (over) {
            return;
        }
        over = true;
        InFlight inFlight = edge.inFlight();
        health.report(edge.ranks().worlds(), true);
        inFlight.close();
        int count = inFlight.count();
        LOG.log(
                level,
                count == 0
                        ? "shutting down: no operation is in flight"
                        : "shutting down: waiting up to %s s for %s".formatted(seconds(limit), operations(count)));
        edge.streams()
                .announceClosing(
                        "shutting down: calls in flight may go on for " + seconds(limit) + " s, new ones are refused");
        long beginNanos = System.nanoTime();
        if (!inFlight.awaitDrained(limit)) {
            edge.ranks().setCutCalls(inFlight.count());
            LOG.warnf(
                    "shutting down: %s had not ended after %s s; they are failed now",
                    operations(edge.ranks().cutCalls()), seconds(limit));
        } else if (count > 0) {
            Duration waited = Duration.ofNanos(System.nanoTime() - beginNanos);
            LOG.logf(level, "shutting down: all operations have ended, after %s s", seconds(waited));
        }
    }

    private static String operations(int count) {
        return count + (count == 1 ? " operation" : " operations");
    }

    /** Such as 25, or 0.5. */
    private static String seconds(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString();
    }
}

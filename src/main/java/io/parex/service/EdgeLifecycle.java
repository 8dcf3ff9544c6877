package io.parex.service;

import io.parex.world.World;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Start and end of the edge. The end is a sequence: say not ready, refuse new calls, let those in flight end, close the
 * ranks. The gRPC server is up before the start and until after the end of it; other listeners follow, so that whoever
 * starts the application says when it serves. On Quarkus' main thread, which may block.
 */
@Singleton
class EdgeLifecycle {
    private static final Logger LOG = Logger.getLogger(EdgeLifecycle.class);

    private final Edge edge;
    private final RankHealth health;
    private final Event<World> hosted;
    private final Duration drain;

    EdgeLifecycle(Edge edge, RankHealth health, Event<World> hosted, ParexConfig config) {
        this.edge = edge;
        this.health = health;
        this.hosted = hosted;
        this.drain = config.timeout().drain();
    }

    void start(@Observes StartupEvent event) {
        // For whoever watches ranks, such as the meters.
        edge.ranks().worlds().forEach(hosted::fire);
        health.report(false);
        for (World world : edge.ranks().worlds()) {
            // At once if all ranks live here; else when the others have been heard of.
            world.joined()
                    .subscribe()
                    .with(joined -> health.report(edge.inFlight().isClosing()), failure -> {});
        }
    }

    void stop(@Observes ShutdownEvent event) {
        health.report(true);
        InFlight inFlight = edge.inFlight();
        inFlight.close();
        edge.streams()
                .announceClosing("shutting down: calls in flight may go on for " + drain.toSeconds()
                        + " s, new ones are refused");
        if (!inFlight.awaitDrained(drain)) {
            edge.ranks().setCutCalls(inFlight.count());
            LOG.warnf(
                    "%d calls had not ended %d s after the shutdown began; they are failed now",
                    edge.ranks().cutCalls(), drain.toSeconds());
        }
        edge.ranks().close();
        edge.close();
    }
}

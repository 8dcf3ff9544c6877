package io.parex.service;

import io.parex.world.World;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Start and end of the edge. It starts the ranks, and only then lets calls in. The end is a sequence: say not ready,
 * refuse new calls, let those in flight end, close the ranks. The gRPC server is up before the start and until after
 * the end of it; other listeners follow, so that whoever starts the application says when it serves. On Quarkus' main
 * thread, which may block.
 */
@Singleton
class EdgeLifecycle {
    private static final Logger LOG = Logger.getLogger(EdgeLifecycle.class);

    private final Provider<Edge> edges;
    private final StartGate gate;
    private final RankHealth health;
    private final Event<World> hosted;
    private final Duration drain;
    private Edge edge;

    EdgeLifecycle(Provider<Edge> edges, StartGate gate, RankHealth health, Event<World> hosted, ParexConfig config) {
        this.edges = edges;
        this.gate = gate;
        this.health = health;
        this.hosted = hosted;
        this.drain = config.timeout().drain();
    }

    void start(@Observes StartupEvent event) {
        health.reportStarting();
        edge = edges.get();
        List<World> ranks = edge.ranks().worlds();
        // For whoever watches ranks, such as the meters.
        ranks.forEach(hosted::fire);
        health.report(ranks, false);
        gate.open();
        for (World world : ranks) {
            // At once if all ranks live here; else when the others have been heard of.
            world.joined()
                    .subscribe()
                    .with(joined -> health.report(ranks, edge.inFlight().isClosing()), failure -> {});
            world.lost()
                    .subscribe()
                    .with(why -> health.report(ranks, edge.inFlight().isClosing()));
        }
    }

    void stop(@Observes ShutdownEvent event) {
        if (edge == null) {
            // The ranks did not start.
            return;
        }
        health.report(edge.ranks().worlds(), true);
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

package io.parex.service;

import io.parex.world.World;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Start and end of the edge. It starts the ranks, and only then lets calls in. The end is a sequence: {@link Drain},
 * close the ranks. The gRPC server is up before the start and until after the end of it; other listeners follow, and
 * are closed before the end, so that whoever starts the application says when it serves, and runs the drain. On
 * Quarkus' main thread, which may block.
 */
@Singleton
class EdgeLifecycle {
    private final Provider<Edge> edges;
    private final StartGate gate;
    private final RankHealth health;
    private final Event<World> hosted;
    private final Provider<Drain> drain;
    private Edge edge;

    EdgeLifecycle(Provider<Edge> edges, StartGate gate, RankHealth health, Event<World> hosted, Provider<Drain> drain) {
        this.edges = edges;
        this.gate = gate;
        this.health = health;
        this.hosted = hosted;
        this.drain = drain;
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
        drain.get().runQuietly();
        // Their sockets live on the ranks' loops.
        edge.shared().close();
        edge.ranks().close();
        edge.close();
    }
}

package io.parex.service;

import io.parex.world.World;
import io.parex.world.WorldState;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Liveness;

/**
 * Liveness: up while the process answers at all. A call that waits for its peers, however long, is no reason to restart
 * a rank: that would fail the calls of all others. A rank that is lost is one, the only one: the others go on without
 * it already, and wait for another start of it.
 */
@Liveness
@Singleton
class ProcessAlive implements HealthCheck {
    private final Edge edge;

    ProcessAlive(Edge edge) {
        this.edge = edge;
    }

    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder response = HealthCheckResponse.named("process")
                .up()
                .withData("streams", edge.streams().count())
                .withData("calls", edge.inFlight().count())
                .withData("stagingBytes", edge.staging().usedBytes());
        for (World world : edge.ranks().worlds()) {
            if (world.state() == WorldState.LOST) {
                response.down().withData("rank-" + world.rank(), Descriptions.state(world));
            }
        }
        return response.build();
    }
}

package io.parex.service;

import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/**
 * Liveness: up while the process answers at all. A call that waits for its peers, however long, is no reason to restart
 * a rank: that would fail the calls of all others.
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
        return HealthCheckResponse.named("process")
                .up()
                .withData("streams", edge.streams().count())
                .withData("calls", edge.inFlight().count())
                .withData("stagingBytes", edge.staging().usedBytes())
                .build();
    }
}

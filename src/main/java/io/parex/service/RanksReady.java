package io.parex.service;

import io.parex.world.World;
import jakarta.inject.Singleton;
import java.util.stream.Collectors;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Readiness: up while all hosted ranks take calls. Says the state of each, and which ranks of the world are missing.
 */
@Readiness
@Singleton
class RanksReady implements HealthCheck {
    private final HostedRanks ranks;
    private final InFlight inFlight;

    RanksReady(HostedRanks ranks, Edge edge) {
        this.ranks = ranks;
        this.inFlight = edge.inFlight();
    }

    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder response = HealthCheckResponse.named("ranks");
        for (World world : ranks.worlds()) {
            response.withData("rank-" + world.rank(), Descriptions.state(world));
            if (!world.waiting().isEmpty()) {
                response.withData("rank-" + world.rank() + "-waits-for", world.waiting());
            }
            if (!world.lostRanks().isEmpty()) {
                response.withData(
                        "rank-" + world.rank() + "-has-lost", world.lostRanks().toString());
            }
        }
        String missing = ranks.missing().stream().map(String::valueOf).collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            response.withData("missing", missing);
        }
        if (inFlight.isClosing()) {
            response.withData("closing", true);
        }
        return response.status(ranks.isReady() && !inFlight.isClosing()).build();
    }
}

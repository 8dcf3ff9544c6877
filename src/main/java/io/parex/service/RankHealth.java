package io.parex.service;

import grpc.health.v1.HealthOuterClass.HealthCheckResponse.ServingStatus;
import io.parex.v1.ParexGrpc;
import io.parex.world.World;
import io.parex.world.WorldState;
import io.quarkus.grpc.runtime.health.GrpcHealthStorage;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * What {@code grpc.health.v1} answers: for the process (""), for the service, and for each hosted rank, named
 * {@code parex.v1.Parex/rank-N}. The first two are serving when all hosted ranks are.
 */
@Singleton
class RankHealth {
    private final GrpcHealthStorage storage;

    RankHealth(GrpcHealthStorage storage) {
        this.storage = storage;
    }

    /** Nothing serves before the ranks are there, whatever Quarkus says of its server. */
    void reportStarting() {
        report(ParexGrpc.SERVICE_NAME, false);
        report(GrpcHealthStorage.DEFAULT_SERVICE_NAME, false);
    }

    /** Reports these ranks as they are now, or as not serving when the process is {@code closing}. */
    void report(List<World> ranks, boolean closing) {
        boolean all = true;
        for (World world : ranks) {
            boolean serving = !closing && world.state() == WorldState.READY;
            all &= serving;
            report(ParexGrpc.SERVICE_NAME + "/rank-" + world.rank(), serving);
        }
        report(ParexGrpc.SERVICE_NAME, all);
        report(GrpcHealthStorage.DEFAULT_SERVICE_NAME, all);
    }

    private void report(String service, boolean serving) {
        storage.setStatus(service, serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
    }
}

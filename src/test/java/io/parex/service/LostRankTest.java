package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import grpc.health.v1.HealthOuterClass.HealthCheckResponse.ServingStatus;
import io.parex.v1.RankState;
import io.parex.world.LocalWorld;
import io.parex.world.World;
import io.parex.world.WorldOptions;
import io.parex.world.WorldState;
import io.quarkus.grpc.runtime.health.GrpcHealthStorage;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the outside sees of a rank that the others have lost. */
class LostRankTest {
    private static final String WHY = "nothing was heard of it for 5 s";

    private HostedRanks ranks;
    private Edge edge;

    @BeforeEach
    void start() {
        LosableFabric fabric = new LosableFabric(1);
        ranks = new HostedRanks(LocalWorld.join(fabric, java.util.List.of(0), 1, WorldOptions.DEFAULT), "test");
        edge = Edge.of(ranks, EdgeLimits.DEFAULT, SharedDoors.none(), Executors.newVirtualThreadPerTaskExecutor());
        assertEquals(Status.UP, new ProcessAlive(edge).call().getStatus());
        assertEquals(Status.UP, new RanksReady(ranks, edge).call().getStatus());
        World world = ranks.only();
        assertEquals("", world.lostBecause());
        fabric.lose(0, WHY);
        assertEquals(WHY, world.lost().await().atMost(Duration.ofSeconds(10)));
        assertEquals(WorldState.LOST, world.state());
        assertEquals(WHY, world.lostBecause());
    }

    @AfterEach
    void stop() {
        ranks.close();
        edge.close();
    }

    private static void assertDownWithReason(HealthCheckResponse response) {
        assertEquals(Status.DOWN, response.getStatus());
        Map<String, Object> data = response.getData().orElseThrow();
        assertEquals("lost: " + WHY, data.get("rank-0"));
    }

    @Test
    void shouldBeNeitherReadyNorAlive() {
        assertDownWithReason(new RanksReady(ranks, edge).call());
        assertDownWithReason(new ProcessAlive(edge).call());
    }

    @Test
    void shouldNotServe() {
        GrpcHealthStorage storage = new GrpcHealthStorage();
        new RankHealth(storage).report(ranks.worlds(), false);
        for (String service : new String[] {"", "parex.v1.Parex", "parex.v1.Parex/rank-0"}) {
            assertEquals(
                    ServingStatus.NOT_SERVING, storage.statusForService(service).getStatus(), service);
        }
    }

    @Test
    void shouldSayItsState() {
        assertEquals(
                RankState.RANK_STATE_LOST, Descriptions.world(edge).getRanks(0).getState());
    }

    @Test
    void shouldBeAliveAgainForTheLastProbesOfAShutdown() {
        ranks.close();
        assertEquals(Status.UP, new ProcessAlive(edge).call().getStatus());
    }
}

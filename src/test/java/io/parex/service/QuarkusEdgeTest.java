package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import grpc.health.v1.HealthGrpc;
import grpc.health.v1.HealthOuterClass.HealthCheckRequest;
import grpc.health.v1.HealthOuterClass.HealthCheckResponse.ServingStatus;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.StreamObserver;
import io.parex.client.ClientOptions;
import io.parex.client.ConnectOptions;
import io.parex.client.ParexClient;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.v1.ParexGrpc;
import io.parex.world.World;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The wiring in Quarkus, with its interceptors around the service: beans, health, reflection, and flow control. */
@QuarkusTest
class QuarkusEdgeTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Inject
    World world;

    @Inject
    HostedRanks ranks;

    @TestHTTPResource(value = "/health", management = true)
    URI health;

    private int port;
    private ManagedChannel channel;

    @BeforeEach
    void connect() {
        port = ConfigProvider.getConfig().getValue("quarkus.grpc.server.test-port", Integer.class);
        channel = channel();
    }

    @AfterEach
    void disconnect() {
        channel.shutdownNow();
    }

    private ManagedChannel channel() {
        return NettyChannelBuilder.forAddress("localhost", port).usePlaintext().build();
    }

    @Test
    void shouldInjectTheWorldWhereOneRankIsHosted() {
        assertEquals(0, world.rank());
        assertEquals(1, world.size());
        assertSame(world, ranks.worlds().getFirst());
    }

    @Test
    void shouldServeHealthOfProcessServiceAndRank() {
        HealthGrpc.HealthBlockingStub stub = HealthGrpc.newBlockingStub(channel);
        for (String service : new String[] {"", "parex.v1.Parex", "parex.v1.Parex/rank-0"}) {
            HealthCheckRequest request =
                    HealthCheckRequest.newBuilder().setService(service).build();
            assertEquals(ServingStatus.SERVING, stub.check(request).getStatus(), service);
        }
    }

    @Test
    void shouldServeReflection() {
        Responses<ServerReflectionRequest, ServerReflectionResponse> responses = Responses.all();
        StreamObserver<ServerReflectionRequest> requests =
                ServerReflectionGrpc.newStub(channel).serverReflectionInfo(responses);
        requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
        assertTrue(responses.next().getListServicesResponse().getServiceList().stream()
                .anyMatch(service -> service.getName().equals("parex.v1.Parex")));
        requests.onCompleted();
    }

    @Test
    void shouldAnswerProbes() throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (String probe : new String[] {"/ready", "/live"}) {
                HttpResponse<String> response = http.send(
                        HttpRequest.newBuilder(URI.create(health + probe)).build(),
                        HttpResponse.BodyHandlers.ofString());
                assertEquals(200, response.statusCode(), response::body);
                String expected = probe.equals("/ready") ? "\"rank-0\": \"ready\"" : "\"process\"";
                assertTrue(response.body().contains(expected), response::body);
            }
        }
    }

    @Test
    void shouldServeASession() {
        try (ParexClient client = ParexClient.connect(
                        "localhost:" + port, ParexClient.ONLY_RANK, ConnectOptions.DEFAULT)
                .await()
                .atMost(LIMIT)) {
            TensorView tensor = Tensors.ints(1_000_000, i -> i);
            client.allReduce(tensor, tensor, ReduceOp.SUM, ClientOptions.DEFAULT)
                    .await()
                    .atMost(LIMIT);
            Tensors.assertSame(Tensors.ints(1_000_000, i -> i), tensor);
        }
    }

    @Test
    void shouldHoldTheWriterWhileTheReaderDoesNotRead() {
        ManagedChannel other = channel();
        try {
            long count = 32 << 20;
            StoppingReader reader = StoppingReader.start(ParexGrpc.newStub(other), count, 0, 0);
            SteadyWriter writer = SteadyWriter.start(ParexGrpc.newStub(channel), count, 0, 0);
            reader.readTo(1 << 20);
            FlowControlTest.assertHeld(writer);
            reader.readToEnd();
            writer.awaitEnd();
        } finally {
            other.shutdownNow();
        }
    }
}

package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import grpc.health.v1.HealthGrpc;
import grpc.health.v1.HealthOuterClass.HealthCheckRequest;
import grpc.health.v1.HealthOuterClass.HealthCheckResponse.ServingStatus;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.client.ClientOptions;
import io.parex.client.ClientWork;
import io.parex.client.ConnectOptions;
import io.parex.client.ParexClient;
import io.parex.client.Recovered;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A world of several processes, started one by one with a list of peers, as on a cluster without Kubernetes. */
@Timeout(300)
class SpreadIT {
    /** The detection bound, and time for a loaded machine to say so. */
    private static final String FOUR_STRANGERS =
            "parex_connections_refused_total{rank=\"0\",reason=\"not_our_protocol\"} 4.0";

    private static final Duration NOTICE = Duration.ofSeconds(15);

    @TempDir
    private Path folder;

    private final Map<Integer, ParexProcess> ranks = new HashMap<>();
    private final List<ParexClient> clients = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private List<Integer> ports;

    @AfterEach
    void end() {
        clients.forEach(ParexClient::close);
        ranks.values().forEach(ParexProcess::close);
    }

    @Test
    void shouldReduceAcrossProcessesOneOfWhichStartsLate() throws Exception {
        choosePorts(3);
        start(0);
        start(2);
        ranks.get(0).place("health");
        String notReady =
                ParexProcess.get(ranks.get(0).place("health") + "/ready").body();
        assertTrue(notReady.contains("\"missing\": \"1"), notReady);
        ParexException refused = assertThrows(
                ParexException.class,
                () -> client(0).barrier(ClientOptions.DEFAULT).await().indefinitely());
        assertEquals(ErrorKind.UNAVAILABLE, refused.kind(), refused.getMessage());
        start(1);
        ranks.values().forEach(ParexProcess::awaitReady);
        assertEquals(List.of(6, 6, 6), sums(1000));
        assertEquals(List.of(6, 6, 6), sums(3_000_000));
        strangersDoNoHarm();
        assertEquals(List.of(6, 6, 6), sums(1000));
    }

    @Test
    void shouldFailTheOthersCallsWhenARankIsKilled() throws Exception {
        choosePorts(3);
        IntStream.range(0, 3).forEach(this::start);
        ranks.values().forEach(ParexProcess::awaitReady);
        assertEquals(List.of(6, 6, 6), sums(10));
        List<ClientWork> waiting =
                List.of(client(0).barrier(ClientOptions.DEFAULT), client(2).barrier(ClientOptions.DEFAULT));
        ranks.get(1).kill();
        for (ClientWork work : waiting) {
            ParexException failure =
                    assertThrows(ParexException.class, () -> work.await().atMost(NOTICE));
            assertEquals(ErrorKind.PEER_FAILED, failure.kind(), failure.getMessage());
            assertTrue(failure.getMessage().contains("rank 1 is lost"), failure.getMessage());
        }
    }

    @Test
    void shouldTakeARankThatWasStartedAgain() throws Exception {
        choosePorts(3);
        IntStream.range(0, 3).forEach(this::start);
        ranks.values().forEach(ParexProcess::awaitReady);
        assertEquals(List.of(6, 6, 6), sums(10));
        startAgain(1);
        String metrics = ranks.get(0).place("metrics");
        Awaitility.await()
                .atMost(NOTICE)
                .until(() -> ParexProcess.get(metrics).body().contains("parex_epoch{rank=\"0\"} 4.0"));
        ParexException refusal = assertThrows(
                ParexException.class,
                () -> client(0).barrier(ClientOptions.DEFAULT).await().atMost(NOTICE));
        assertEquals(ErrorKind.ABORTED, refusal.kind(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("in epoch 3, and now is epoch 4"), refusal.getMessage());
        Recovered recovered = recover();
        assertEquals(4, recovered.epoch());
        assertEquals(
                List.of(0L, -1L, 0L),
                recovered.members().stream().map(Recovered.Member::lastCall).toList());
        assertEquals(List.of(6, 6, 6), sums(10));
        assertEquals(List.of(6, 6, 6), sums(1_000_000));
    }

    /** Stopped for longer than the others wait. */
    @Test
    void shouldAskForARestartWhenItIsLost() throws Exception {
        choosePorts(2);
        environment.put("PAREX_TIMEOUT_PEER", "1s");
        IntStream.range(0, 2).forEach(this::start);
        ranks.values().forEach(ParexProcess::awaitReady);
        assertEquals(List.of(3, 3), sums(10));
        ranks.get(1).signal("STOP");
        ParexException failure = assertThrows(
                ParexException.class,
                () -> client(0).barrier(ClientOptions.DEFAULT).await().atMost(NOTICE));
        assertEquals(ErrorKind.PEER_FAILED, failure.kind(), failure.getMessage());
        ranks.get(1).signal("CONT");
        String health = ranks.get(1).place("health");
        for (String probe : List.of("/live", "/ready")) {
            Awaitility.await().atMost(NOTICE).until(() -> {
                HttpResponse<String> answer = ParexProcess.get(health + probe);
                return answer.statusCode() == 503 && answer.body().contains("\"rank-1\": \"lost: ");
            });
        }
        assertEquals(
                "lost",
                client(1).getWorld().await().atMost(NOTICE).ranks().getFirst().state());
        assertEquals(ServingStatus.NOT_SERVING, serving(1));
        assertTrue(ranks.get(1).isAlive());
        // The other one goes on: it waits for another start of the rank.
        assertEquals(
                200, ParexProcess.get(ranks.get(0).place("health") + "/ready").statusCode());
    }

    private ServingStatus serving(int rank) {
        ManagedChannel channel = NettyChannelBuilder.forTarget(
                        "dns:///" + ranks.get(rank).place("endpoint"))
                .usePlaintext()
                .build();
        try {
            return HealthGrpc.newBlockingStub(channel)
                    .check(HealthCheckRequest.newBuilder()
                            .setService("parex.v1.Parex/rank-" + rank)
                            .build())
                    .getStatus();
        } finally {
            channel.shutdownNow();
        }
    }

    private void startAgain(int rank) throws InterruptedException {
        ranks.get(rank).kill();
        ranks.get(rank).exit();
        clients.removeIf(client -> client.rank() == rank);
        start(rank);
        ranks.get(rank).awaitReady();
    }

    private Recovered recover() {
        List<Uni<Recovered>> recoveries = IntStream.range(0, ports.size())
                .mapToObj(rank -> client(rank).recover(Duration.ofSeconds(60)))
                .toList();
        List<Recovered> results = recoveries.stream()
                .map(each -> each.await().atMost(Duration.ofSeconds(60)))
                .distinct()
                .toList();
        assertEquals(1, results.size(), results::toString);
        return results.getFirst();
    }

    /** Others may speak to the port: each is refused, and no rank suffers. */
    private void strangersDoNoHarm() throws Exception {
        for (String greeting : List.of("GET / HTTP/1.1\r\n\r\n", "SSH-2.0-x\r\n", "\u0016\u0003\u0001abc", "")) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), ports.get(0))) {
                socket.getOutputStream().write(greeting.getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        Awaitility.await().atMost(NOTICE).until(() -> ranks.get(0).err().contains("refused a connection of"));
        String metrics = ranks.get(0).place("metrics");
        Awaitility.await()
                .atMost(NOTICE)
                .until(() -> ParexProcess.get(metrics).body().contains(FOUR_STRANGERS));
    }

    private List<Integer> sums(int count) {
        List<ClientWork> works = new ArrayList<>();
        List<TensorView> outputs = new ArrayList<>();
        for (int rank = 0; rank < ports.size(); rank++) {
            TensorView input = tensor(count, rank + 1);
            TensorView output = tensor(count, 0);
            outputs.add(output);
            works.add(client(rank).allReduce(input, output, ReduceOp.SUM, ClientOptions.DEFAULT));
        }
        works.forEach(work -> work.await().atMost(Duration.ofSeconds(60)));
        return outputs.stream()
                .map(output -> output.segment().getAtIndex(ValueLayout.JAVA_INT, count - 1))
                .toList();
    }

    private static TensorView tensor(int count, int value) {
        TensorView tensor =
                new TensorView(Arena.ofAuto().allocate((long) count * Integer.BYTES), DataType.INT32, count);
        for (int i = 0; i < count; i++) {
            tensor.segment().setAtIndex(ValueLayout.JAVA_INT, i, value);
        }
        return tensor;
    }

    private ParexClient client(int rank) {
        return clients.stream()
                .filter(client -> client.rank() == rank)
                .findAny()
                .orElseGet(() -> {
                    ParexClient client = ParexClient.connect(
                                    ranks.get(rank).place("endpoint"), rank, ConnectOptions.DEFAULT)
                            .await()
                            .atMost(Duration.ofSeconds(60));
                    clients.add(client);
                    return client;
                });
    }

    private void choosePorts(int size) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        }
        ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
        for (ServerSocket socket : sockets) {
            socket.close();
        }
    }

    private void start(int rank) {
        environment.put("PAREX_WORLD_SIZE", Integer.toString(ports.size()));
        environment.put("PAREX_RANK", Integer.toString(rank));
        environment.put(
                "PAREX_PEERS", ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(",")));
        environment.put("PAREX_FABRIC_HOST", "127.0.0.1");
        environment.put("PAREX_FABRIC_PORT", Integer.toString(ports.get(rank)));
        for (String listener : List.of("QUARKUS_GRPC_SERVER", "QUARKUS_MANAGEMENT", "QUARKUS_HTTP")) {
            environment.put(listener + "_HOST", "127.0.0.1");
            environment.put(listener + "_PORT", "0");
        }
        try {
            ranks.put(rank, new ParexProcess(folder, environment, "serve"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}

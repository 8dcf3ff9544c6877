package io.parex.service;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.parex.client.ConnectOptions;
import io.parex.client.ParexClient;
import io.parex.v1.ParexGrpc;
import io.parex.world.LocalWorld;
import io.parex.world.WorldOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The edge of a local world on grpc-java's own Netty server and a free port, without Quarkus. */
final class EdgeServer implements AutoCloseable {
    private final ExecutorService executor = Executors.newFixedThreadPool(
            2, Thread.ofPlatform().daemon().name("edge-", 0).factory());
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final HostedRanks ranks;
    private final Edge edge;
    private final Server server;

    EdgeServer(int size, EdgeLimits limits) {
        ranks = new HostedRanks(LocalWorld.start(size, WorldOptions.DEFAULT), "test");
        edge = Edge.of(ranks, limits, SharedDoors.none(), executor);
        try {
            server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .addService(new ParexGrpcService(() -> edge))
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static EdgeServer of(int size) {
        return new EdgeServer(size, EdgeLimits.DEFAULT);
    }

    Edge edge() {
        return edge;
    }

    String endpoint() {
        return "localhost:" + server.getPort();
    }

    /** A session of {@code rank}. */
    ParexClient client(int rank) {
        return ParexClient.connect(endpoint(), rank, ConnectOptions.DEFAULT.withClientName("trainer-" + rank))
                .await()
                .atMost(Duration.ofSeconds(10));
    }

    /** A channel of its own, closed with the server. */
    ManagedChannel channel() {
        ManagedChannel channel = NettyChannelBuilder.forAddress("localhost", server.getPort())
                .usePlaintext()
                .build();
        channels.add(channel);
        return channel;
    }

    /** Plain RPCs on a channel of its own. */
    ParexGrpc.ParexStub stub() {
        return ParexGrpc.newStub(channel());
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
        server.shutdownNow();
        try {
            server.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ranks.close();
        edge.close();
        executor.shutdownNow();
    }
}

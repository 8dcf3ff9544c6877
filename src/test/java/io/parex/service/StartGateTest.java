package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.parex.v1.GetWorldRequest;
import io.parex.v1.ParexGrpc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls that come before there are ranks. */
class StartGateTest {
    private final StartGate gate = new StartGate();
    private EdgeServer ranks;
    private Server server;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws IOException {
        ranks = EdgeServer.of(1);
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(ServerInterceptors.intercept(new ParexGrpcService(ranks::edge), gate))
                .build()
                .start();
        channel = NettyChannelBuilder.forAddress("localhost", server.getPort())
                .usePlaintext()
                .build();
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        server.shutdownNow();
        ranks.close();
    }

    @Test
    void shouldRefuseCallsUntilTheRanksAreThere() {
        ParexGrpc.ParexBlockingStub stub = ParexGrpc.newBlockingStub(channel);
        StatusRuntimeException refusal =
                assertThrows(StatusRuntimeException.class, () -> stub.getWorld(GetWorldRequest.getDefaultInstance()));
        assertEquals(Status.Code.UNAVAILABLE, refusal.getStatus().getCode());
        assertEquals(
                "starting: no calls are taken yet; nothing was started",
                refusal.getStatus().getDescription());
        assertTrue(Details.callError(refusal).getNotStarted());
        gate.open();
        assertEquals(1, stub.getWorld(GetWorldRequest.getDefaultInstance()).getSize());
    }
}

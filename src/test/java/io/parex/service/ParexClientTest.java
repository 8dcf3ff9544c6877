package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.client.ClientOptions;
import io.parex.client.Completion;
import io.parex.client.ConnectOptions;
import io.parex.client.ParexClient;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.smallrye.mutiny.Uni;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java client beyond the primitives: who owns memory when, failures, the end. */
class ParexClientTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ClientOptions CALL = ClientOptions.DEFAULT;
    private EdgeServer server;

    @BeforeEach
    void start() {
        server = EdgeServer.of(2);
    }

    @AfterEach
    void stop() {
        Awaitility.await()
                .atMost(10, TimeUnit.SECONDS)
                .until(() -> server.edge().inFlight().count() == 0);
        assertEquals(0, server.edge().staging().usedBytes());
        server.close();
    }

    private static ParexException failure(Uni<?> uni) {
        return assertThrows(ParexException.class, () -> uni.await().atMost(LIMIT));
    }

    private static void assertFails(ErrorKind kind, String text, Uni<?> uni) {
        ParexException failure = failure(uni);
        assertEquals(kind, failure.kind(), failure::getMessage);
        assertTrue(failure.getMessage().contains(text), failure::getMessage);
    }

    /** C77: 1 MiB of sevens, at once overwritten with nines, received a while later. */
    @Test
    void shouldSendWhatTheMemoryHeldWhenItWasCalled() {
        try (ParexClient zero = server.client(0);
                ParexClient one = server.client(1)) {
            TensorView message = Tensors.ints(1 << 18, i -> 7);
            Uni<Completion> sent = zero.isend(message, 1, CALL);
            message.segment().fill((byte) 9);
            one.barrier(CALL);
            zero.barrier(CALL).await().atMost(LIMIT);
            TensorView got = Tensors.empty(DataType.INT32, 1 << 18);
            one.recv(got, 0, CALL).await().atMost(LIMIT);
            sent.await().atMost(LIMIT);
            Tensors.assertSame(Tensors.ints(1 << 18, i -> 7), got);
        }
    }

    @Test
    void shouldBoundTheCopiesOfMessagesThatWait() {
        try (ParexClient zero = server.client(0)) {
            TensorView message = Tensors.ints(1 << 18, i -> i);
            Uni<Completion> last = null;
            for (int i = 0; i <= 64; i++) {
                last = zero.isend(message, 1, CALL);
            }
            assertFails(ErrorKind.OVERLOADED, "67108864 bytes of messages wait to be sent", last);
        }
    }

    @Test
    void shouldGiveTheSameOutcomeToAllWhoWait() {
        try (ParexClient zero = server.client(0);
                ParexClient one = server.client(1)) {
            Uni<Completion> call = zero.barrier(CALL);
            // Whoever stops waiting leaves the call alone.
            call.subscribe().with(end -> {}).cancel();
            one.barrier(CALL);
            Completion first = call.await().atMost(LIMIT);
            assertEquals(first, call.await().atMost(LIMIT));
        }
    }

    @Test
    void shouldFailWithTheKindAndTextOfTheRank() {
        try (ParexClient zero = server.client(0);
                ParexClient one = server.client(1)) {
            TensorView int1 = Tensors.ints(1, i -> 1);
            TensorView int2 = Tensors.ints(2, i -> 1);
            Uni<Completion> call = zero.allReduce(int1, int1, ReduceOp.SUM, CALL);
            assertFails(ErrorKind.MISMATCH, "make different calls", one.allReduce(int2, int2, ReduceOp.SUM, CALL));
            assertFails(ErrorKind.MISMATCH, "make different calls", call);
            assertFails(ErrorKind.ARGUMENT, "destination 4 is not a rank", zero.send(int1, 4, CALL));
            assertFails(
                    ErrorKind.ARGUMENT,
                    "all_reduce of 1 int32 into 2 int32",
                    zero.allReduce(int1, int2, ReduceOp.SUM, CALL));
            assertFails(ErrorKind.TIMEOUT, "barrier", zero.barrier(CALL.withTimeout(Duration.ofMillis(50))));
            TensorView bool = Tensors.empty(DataType.BOOL, 1);
            assertFails(ErrorKind.UNSUPPORTED, "bool", zero.allReduce(bool, bool, ReduceOp.AVG, CALL));
        }
    }

    @Test
    void shouldRefuseRanksThatAreNotThere() {
        assertFails(
                ErrorKind.ARGUMENT,
                "hosts several: 0, 1",
                ParexClient.connect(server.endpoint(), ParexClient.ONLY_RANK, ConnectOptions.DEFAULT));
        assertFails(
                ErrorKind.ARGUMENT, "neither host:port nor", ParexClient.connect("nowhere", 0, ConnectOptions.DEFAULT));
        assertFails(
                ErrorKind.UNAVAILABLE,
                "no session with localhost:1 within 200 ms",
                ParexClient.connect(
                        "localhost:1", 0, ConnectOptions.DEFAULT.withConnectTimeout(Duration.ofMillis(200))));
    }

    @Test
    void shouldEndWhatIsInFlightWhenItCloses() {
        ParexClient zero = server.client(0);
        Uni<Completion> call = zero.barrier(CALL);
        Uni<Completion> large = zero.send(Tensors.ints(8 << 20, i -> i), 1, CALL);
        zero.close();
        zero.close();
        assertFails(ErrorKind.ABORTED, "closed by this client", call);
        assertFails(ErrorKind.ABORTED, "closed by this client", large);
        assertFails(ErrorKind.UNAVAILABLE, "the session has ended", zero.barrier(CALL));
    }

    @Test
    void shouldTellTheOthersWhyItCloses() {
        try (ParexClient zero = server.client(0)) {
            ParexClient one = server.client(1);
            Uni<Completion> call = zero.barrier(CALL);
            Awaitility.await().until(() -> server.edge().inFlight().count() == 1);
            one.close("out of memory").await().atMost(LIMIT);
            assertFails(ErrorKind.ABORTED, "client of rank 1 closed: out of memory", call);
        }
    }

    @Test
    void shouldSayThatItDoesNotKnowWhenTheServerIsGone() {
        EdgeServer mortal = EdgeServer.of(2);
        ParexClient client = mortal.client(0);
        Uni<Completion> call = client.barrier(CALL);
        mortal.close();
        assertTrue(java.util.Set.of(ErrorKind.PEER_FAILED, ErrorKind.LEFT, ErrorKind.CANCELLED)
                .contains(failure(call).kind()));
        assertFails(ErrorKind.UNAVAILABLE, "nothing was started", client.barrier(CALL));
        client.close();
    }

    @Test
    void shouldConnectThroughAUnixSocket(@TempDir Path folder) throws Exception {
        Path socket = folder.resolve("rank.sock");
        EventLoopGroup loops = new EpollEventLoopGroup(1);
        Server local = NettyServerBuilder.forAddress(new DomainSocketAddress(socket.toString()))
                .channelType(EpollServerDomainSocketChannel.class)
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .addService(new ParexGrpcService(server.edge()))
                .build()
                .start();
        try (ParexClient client = ParexClient.connect("unix:" + socket, 1, ConnectOptions.DEFAULT)
                .await()
                .atMost(LIMIT)) {
            TensorView message = Tensors.ints(1 << 20, i -> i);
            TensorView got = Tensors.empty(DataType.INT32, 1 << 20);
            Uni<Completion> recv = client.recv(got, 1, CALL);
            client.send(message, 1, CALL).await().atMost(LIMIT);
            recv.await().atMost(LIMIT);
            Tensors.assertSame(message, got);
        } finally {
            local.shutdownNow();
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }
}

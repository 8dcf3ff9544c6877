package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import io.parex.client.ClientWork;
import io.parex.client.Completion;
import io.parex.client.ConnectOptions;
import io.parex.client.ParexClient;
import io.parex.client.Transfer;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.smallrye.mutiny.Uni;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

    private ParexClient copying(int snapshotBytes, long limitBytes) {
        ConnectOptions options =
                ConnectOptions.DEFAULT.withSnapshotBytes(snapshotBytes).withSnapshotLimitBytes(limitBytes);
        return ParexClient.connect(server.endpoint(), 0, options).await().atMost(LIMIT);
    }

    /** Half of the message is beyond the rank's window, so that it waits here until it is received. */
    @Test
    void shouldBoundTheCopiesOfMessagesThatWait() {
        int bytes = 8 << 20;
        try (ParexClient zero = copying(bytes, bytes);
                ParexClient one = server.client(1)) {
            TensorView message = Tensors.ints(bytes / 4, i -> i);
            Uni<Completion> first = zero.isend(message, 1, CALL);
            Uni<Completion> second = zero.isend(message, 1, CALL);
            assertFails(ErrorKind.OVERLOADED, "8388608 bytes of messages wait to be sent, 8388608 may", second);
            assertFails(ErrorKind.OVERLOADED, "nothing was started, wait for some to be sent", second);
            TensorView got = Tensors.empty(DataType.INT32, bytes / 4);
            one.recv(got, 0, CALL).await().atMost(LIMIT);
            first.await().atMost(LIMIT);
            Uni<Completion> third = zero.isend(message, 1, CALL);
            one.recv(got, 0, CALL).await().atMost(LIMIT);
            third.await().atMost(LIMIT);
            Tensors.assertSame(message, got);
        }
    }

    /** Sixteen times what may wait to be sent, none of it received, all of it sent. */
    @Test
    void shouldFreeACopyWhenItIsSent() {
        int bytes = 128 << 10;
        try (ParexClient zero = copying(bytes, 2L * bytes);
                ParexClient one = server.client(1)) {
            List<Uni<Completion>> sends = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                int number = i;
                TensorView message = Tensors.ints(bytes / 4, at -> number + at);
                Awaitility.await().atMost(10, TimeUnit.SECONDS).until(() -> {
                    Uni<Completion> send = zero.isend(message, 1, CALL);
                    boolean refused = isOverloaded(send);
                    if (!refused) {
                        sends.add(send);
                    }
                    return !refused;
                });
                message.segment().fill((byte) 9);
            }
            for (int i = 0; i < 32; i++) {
                int number = i;
                TensorView got = Tensors.empty(DataType.INT32, bytes / 4);
                one.recv(got, 0, CALL).await().atMost(LIMIT);
                Tensors.assertSame(Tensors.ints(bytes / 4, at -> number + at), got);
            }
            sends.forEach(send -> send.await().atMost(LIMIT));
        }
    }

    /** Such a refusal is there at once, and the send has no other end, for nobody receives it. */
    private static boolean isOverloaded(Uni<Completion> send) {
        AtomicBoolean refused = new AtomicBoolean();
        send.subscribe().with(end -> {}, failure -> refused.set(true));
        return refused.get();
    }

    /** Whether its bytes come with the call or after it: a small message waits for no receive. */
    @Test
    void shouldSendSmallMessagesThatNobodyReceivesYet() {
        TensorView tensor = Tensors.ints(1, i -> 1);
        try (ParexClient zero = server.client(0)) {
            List<ClientWork> sends = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                sends.add(zero.send(tensor, 1, CALL));
            }
            sends.forEach(send -> send.await().atMost(LIMIT));
        }
    }

    @Test
    void shouldConnectOnlyWhereThereCanBeARank() {
        for (String target : List.of("a:b", "1.2.3.4:99999", "host", ":9000", "host:0", "http://host:9000")) {
            assertFails(ErrorKind.ARGUMENT, target, ParexClient.connect(target, 0, ConnectOptions.DEFAULT));
        }
    }

    @Test
    void shouldSayThatABatchIsTooLargeToBeCopied() {
        try (ParexClient zero = copying(1024, 4096)) {
            Transfer send = Transfer.send(Tensors.ints(256, i -> i), 1, 0);
            for (ClientWork each : zero.batch(Collections.nCopies(5, send), CALL)) {
                assertFails(ErrorKind.OVERLOADED, "trying again will not help: make the batch smaller", each);
            }
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
                    "input has 1 elements, output 2, and both are one shape",
                    zero.allReduce(int1, int2, ReduceOp.SUM, CALL));
            assertFails(ErrorKind.TIMEOUT, "barrier", zero.barrier(CALL.withTimeout(Duration.ofMillis(50))));
            TensorView bool = Tensors.empty(DataType.BOOL, 1);
            assertFails(ErrorKind.UNSUPPORTED, "bool", zero.allReduce(bool, bool, ReduceOp.AVG, CALL));
        }
    }

    @Test
    void shouldTellRefusalsFromFailures() {
        try (ParexClient zero = server.client(0);
                ParexClient one = server.client(1)) {
            TensorView tensor = Tensors.ints(1, i -> 1);
            assertTrue(failure(zero.send(tensor, 4, CALL)).wasRefused());
            assertTrue(failure(zero.send(null, 1, CALL)).wasRefused());
            // These have their place in the order of calls.
            assertFalse(failure(zero.barrier(CALL.withTimeout(Duration.ofMillis(50))))
                    .wasRefused());
            assertFalse(failure(zero.broadcast(tensor, 1, CALL.withAlgorithm("none")))
                    .wasRefused());
            assertFalse(failure(one.barrier(CALL)).wasRefused());
            assertFalse(failure(one.barrier(CALL)).wasRefused());
            server.edge().inFlight().close();
            assertTrue(failure(zero.barrier(CALL)).wasRefused());
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
                .addService(new ParexGrpcService(server::edge))
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

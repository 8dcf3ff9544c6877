package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.parex.v1.ClientMessage;
import io.parex.v1.RecvRequest;
import io.parex.v1.RecvResponse;
import io.parex.v1.ServerMessage;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that stop reading: what they hold is bounded, and for a bounded time. */
class StalledReaderTest {
    private static final long COUNT = 16 << 20;
    private EdgeServer server;

    @BeforeEach
    void start() {
        server = new EdgeServer(
                2, new EdgeLimits(64 << 20, 4 << 20, 256 << 10, 64, Duration.ofMinutes(1), Duration.ofMillis(500)));
    }

    @AfterEach
    void stop() {
        Awaitility.await()
                .atMost(10, TimeUnit.SECONDS)
                .until(() -> server.edge().inFlight().count() == 0);
        assertEquals(0, server.edge().staging().usedBytes());
        server.close();
    }

    private SteadyWriter write() {
        return SteadyWriter.start(server.stub(), COUNT, 0, 1);
    }

    @Test
    void shouldCutAPlainRpcThatIsNotRead() {
        SteadyWriter writer = write();
        Responses<RecvRequest, RecvResponse> received = Responses.asked();
        server.stub()
                .recv(
                        RecvRequest.newBuilder()
                                .setCall(Messages.recv(Messages.rank(1), COUNT, 0))
                                .build(),
                        received);
        // Both are there before one is cut.
        Awaitility.await()
                .atMost(10, TimeUnit.SECONDS)
                .until(() -> server.edge().inFlight().count() == 2);
        Awaitility.await()
                .atMost(10, TimeUnit.SECONDS)
                .until(() -> server.edge().inFlight().count() == 0);
        received.read(Integer.MAX_VALUE);
        assertTrue(received.failure(Status.Code.ABORTED).getMessage().contains("has left results unread for 500 ms"));
        CompletionException cut = assertThrows(CompletionException.class, writer::awaitEnd);
        assertTrue(Details.callError(cut.getCause()).getMessage().contains("client of rank 1"));
    }

    @Test
    void shouldCutASessionThatIsNotRead() {
        write();
        Responses<ClientMessage, ServerMessage> responses = Responses.asked();
        StreamObserver<ClientMessage> requests = server.stub().session(responses);
        requests.onNext(Messages.open(1, "asleep"));
        requests.onNext(Messages.submit(Messages.operation(1).setRecv(Messages.recv(Messages.rank(1), COUNT, 0))));
        Awaitility.await()
                .atMost(10, TimeUnit.SECONDS)
                .until(() -> server.edge().streams().count() == 0);
        responses.read(Integer.MAX_VALUE);
        assertTrue(responses.failure(Status.Code.ABORTED).getMessage().contains("has read nothing for 500 ms"));
    }

    @Test
    void shouldCutAnOperationWithoutCreditOnly() {
        write();
        SessionDriver session = SessionDriver.open(server, 1);
        session.send(Messages.submit(
                Messages.operation(1).setOutputCreditBytes(0).setRecv(Messages.recv(Messages.rank(1), COUNT, 0))));
        session.assertFails(1, io.parex.v1.ErrorKind.ERROR_KIND_ABORTED, "after 0 of 67108864 bytes");
        session.send(Messages.submit(Messages.operation(2).setRecv(Messages.recv(Messages.rank(1), 1, 1))));
        session.send(Messages.submit(Messages.operation(3).setSend(Messages.send(Messages.rank(1), 1, 1))));
        session.send(Messages.chunk(3, Messages.bytes(4)));
        session.assertComplete(2L, 3L);
    }
}

package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.parex.v1.BarrierCall;
import io.parex.v1.CallHeader;
import io.parex.v1.Cancel;
import io.parex.v1.ClientMessage;
import io.parex.v1.Close;
import io.parex.v1.Credit;
import io.parex.v1.ErrorKind;
import io.parex.v1.Operation;
import io.parex.v1.ServerMessage;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rules of the session's stream: order, repetitions, credits, batches, the client's end. */
class SessionRulesTest {
    private static final CallHeader.Builder PLAIN = CallHeader.newBuilder();
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

    private static Operation.Builder barrier(long id, CallHeader.Builder header) {
        return Messages.operation(id).setBarrier(BarrierCall.newBuilder().setHeader(header));
    }

    private static Operation.Builder barrier(long id) {
        return barrier(id, PLAIN);
    }

    private static CallHeader.Builder named(String name) {
        return CallHeader.newBuilder().setName(name);
    }

    private static CallHeader.Builder numbered(long number) {
        return CallHeader.newBuilder().setCallNumber(number).setName("call " + number);
    }

    @Test
    void shouldStartWithOpen() {
        SessionDriver silent = SessionDriver.unopened(server);
        silent.send(Messages.submit(barrier(1)));
        assertTrue(silent.responses()
                .failure(Status.Code.INVALID_ARGUMENT)
                .getMessage()
                .contains("must be open"));
        SessionDriver elsewhere = SessionDriver.unopened(server);
        elsewhere.send(Messages.open(9, "lost"));
        assertTrue(elsewhere
                .responses()
                .failure(Status.Code.INVALID_ARGUMENT)
                .getMessage()
                .contains("hosts 0, 1"));
        SessionDriver twice = SessionDriver.open(server, 0);
        twice.send(Messages.open(0, "again"));
        twice.responses().failure(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void shouldMakeCallsInTheOrderOfTheirNumbers() {
        SessionDriver zero = SessionDriver.open(server, 0);
        SessionDriver one = SessionDriver.open(server, 1);
        zero.send(Messages.submit(barrier(1, numbered(2))), Messages.submit(barrier(2, numbered(1))));
        one.send(Messages.submit(barrier(1, numbered(1))), Messages.submit(barrier(2, numbered(2))));
        zero.assertCompletes(2);
        zero.assertCompletes(1);
        one.assertCompletes(1);
        one.assertCompletes(2);
    }

    @Test
    void shouldEndAHeldCallAtItsTimeoutAndLetItBeMadeAgain() {
        SessionDriver zero = SessionDriver.open(server, 0);
        CallHeader.Builder hasty =
                numbered(2).setTimeout(com.google.protobuf.Duration.newBuilder().setNanos(1_000_000));
        zero.send(Messages.submit(barrier(1, hasty)));
        zero.assertFails(1, ErrorKind.ERROR_KIND_TIMEOUT, "waited 1 ms for calls with lower numbers");
    }

    @Test
    void shouldNotRunARepetition() {
        SessionDriver zero = SessionDriver.open(server, 0);
        SessionDriver one = SessionDriver.open(server, 1);
        zero.send(Messages.submit(barrier(5)), Messages.submit(barrier(5)));
        one.send(Messages.submit(barrier(1)));
        zero.assertCompletes(5);
        one.assertCompletes(1);
        zero.send(Messages.submit(barrier(5)), Messages.submit(barrier(4)));
        zero.assertCompletes(5);
        assertEquals(0, server.edge().ranks().worlds().getFirst().inFlight());
    }

    @Test
    void shouldGoOnAfterBadOperations() {
        SessionDriver zero = SessionDriver.open(server, 0);
        SessionDriver one = SessionDriver.open(server, 1);
        zero.send(
                Messages.submit(Messages.operation(1).setAllReduce(Messages.sum(PLAIN, 100))),
                Messages.chunk(1, Messages.bytes(7)));
        zero.assertFails(1, ErrorKind.ERROR_KIND_ARGUMENT, "not a whole number");
        zero.send(Messages.chunk(1, Messages.bytes(7)), Messages.chunk(9, Messages.bytes(4)));
        zero.assertFails(9, ErrorKind.ERROR_KIND_PROTOCOL, "never submitted");
        zero.send(Messages.submit(Messages.operation(10)));
        zero.assertFails(10, ErrorKind.ERROR_KIND_UNSUPPORTED, "of a kind that this server does not know");
        zero.send(Messages.submit(barrier(11, Messages.rank(1))));
        zero.assertFails(11, ErrorKind.ERROR_KIND_ARGUMENT, "names rank 1 on a session of rank 0");
        // The first all_reduce was made, so rank 1 hears how it ended.
        one.send(Messages.submit(Messages.operation(1).setAllReduce(Messages.sum(PLAIN, 100))));
        one.assertFails(1, ErrorKind.ERROR_KIND_CANCELLED, "client of rank 0: a chunk of 7 bytes");
        zero.send(Messages.submit(barrier(12)));
        one.send(Messages.submit(barrier(2)));
        zero.assertCompletes(12);
        one.assertCompletes(2);
    }

    /** Else it would pair with rank 1's first call, which is the one that was refused here. */
    @Test
    void shouldRefuseCollectivesThatFollowARefusedOneUnknowingly() {
        SessionDriver zero = SessionDriver.open(server, 0);
        zero.send(Messages.submit(barrier(1, Messages.rank(1))));
        zero.send(unknowing(barrier(2), 0));
        zero.assertFails(1, ErrorKind.ERROR_KIND_ARGUMENT, "names rank 1");
        zero.assertFails(2, ErrorKind.ERROR_KIND_ABORTED, "operation 1, a collective before this one, was refused");
        zero.send(unknowing(barrier(3), 1));
        zero.assertFails(3, ErrorKind.ERROR_KIND_ABORTED, "operation 2");
        SessionDriver one = SessionDriver.open(server, 1);
        one.send(Messages.submit(barrier(1)));
        zero.send(unknowing(barrier(4), 3));
        zero.assertCompletes(4);
        one.assertCompletes(1);
    }

    /** The other members would else wait for it, with their own memory held. */
    @Test
    void shouldFailACollectiveWithoutStagingOnAllMembers() {
        SessionDriver zero = SessionDriver.open(server, 0);
        SessionDriver one = SessionDriver.open(server, 1);
        zero.send(Messages.submit(Messages.operation(1).setAllReduce(Messages.sum(PLAIN, 1L << 40))));
        zero.assertFails(1, ErrorKind.ERROR_KIND_OVERLOADED, "bytes of staging memory");
        one.send(Messages.submit(Messages.operation(1).setAllReduce(Messages.sum(PLAIN, 100))));
        one.assertFails(1, ErrorKind.ERROR_KIND_OVERLOADED, "found by rank 0");
        zero.send(Messages.submit(barrier(2)));
        one.send(Messages.submit(barrier(2)));
        zero.assertCompletes(2);
        one.assertCompletes(2);
    }

    private static ClientMessage unknowing(Operation.Builder operation, long refusalSeen) {
        ClientMessage.Builder message = Messages.submit(operation).toBuilder();
        message.getSubmitBuilder().setRefusalSeen(refusalSeen);
        return message.build();
    }

    @Test
    void shouldRefuseInputBeyondTheCredit() {
        SessionDriver zero = SessionDriver.open(server, 0);
        zero.send(Messages.submit(Messages.operation(1).setSend(Messages.send(PLAIN, 4 << 20, 1))));
        for (int i = 0; i < 5; i++) {
            zero.send(Messages.chunk(1, Messages.bytes(1 << 20)));
        }
        zero.assertFails(1, ErrorKind.ERROR_KIND_PROTOCOL, "goes beyond the credit");
    }

    @Test
    void shouldHoldOutputAtItsCreditAndOthersNot() {
        SessionDriver zero = SessionDriver.open(server, 0);
        SessionDriver one = SessionDriver.open(server, 1);
        int count = 1 << 20;
        one.send(Messages.submit(
                Messages.operation(1).setOutputCreditBytes(100).setRecv(Messages.recv(PLAIN, count, 0))));
        zero.send(Messages.submit(Messages.operation(1).setSend(Messages.send(PLAIN, count, 1))));
        for (int i = 0; i < 4; i++) {
            zero.send(Messages.chunk(1, Messages.bytes(1 << 20)));
        }
        assertEquals(100, one.next().getChunk().getData().size());
        // The stalled receive has the stream's first place, and the barrier passes it.
        zero.send(Messages.submit(barrier(2)));
        one.send(Messages.submit(barrier(2)));
        one.assertCompletes(2);
        assertFalse(one.hasNext());
        one.send(ClientMessage.newBuilder()
                .setCredit(Credit.newBuilder().setOperationId(1).setLimitBytes(Long.MAX_VALUE))
                .build());
        long got = 100;
        ServerMessage message = one.next();
        for (; message.hasChunk(); message = one.next()) {
            got += message.getChunk().getData().size();
        }
        assertEquals(4L * count, got);
        assertTrue(message.getResult().hasCompleted());
    }

    @Test
    void shouldNotLetAStalledInputHoldUpOthers() {
        SessionDriver zero = SessionDriver.open(server, 0);
        SessionDriver one = SessionDriver.open(server, 1);
        zero.send(Messages.submit(Messages.operation(1).setSend(Messages.send(PLAIN, 1 << 28, 1))));
        for (int i = 0; i < 4; i++) {
            zero.send(Messages.chunk(1, Messages.bytes(1 << 20)));
        }
        zero.send(Messages.submit(barrier(2)));
        one.send(Messages.submit(barrier(1)));
        zero.assertCompletes(2);
        one.assertCompletes(1);
        zero.send(ClientMessage.newBuilder()
                .setCancel(Cancel.newBuilder().setOperationId(1).setReason("enough"))
                .build());
        zero.assertFails(1, ErrorKind.ERROR_KIND_CANCELLED, "enough");
    }

    @Test
    void shouldRunABatch() {
        SessionDriver zero = SessionDriver.open(server, 0);
        zero.send(Messages.submit(
                Messages.operation(1).setRecv(Messages.recv(PLAIN, 1, 0)),
                Messages.operation(2).setSend(Messages.send(PLAIN, 1, 0))));
        zero.send(Messages.chunk(2, Messages.bytes(4)));
        zero.assertComplete(1L, 2L);
    }

    @Test
    void shouldRefuseCollectivesInABatch() {
        SessionDriver zero = SessionDriver.open(server, 0);
        zero.send(Messages.submit(Messages.operation(1).setSend(Messages.send(PLAIN, 1, 1)), barrier(2)));
        zero.assertFails(1, ErrorKind.ERROR_KIND_ARGUMENT, "takes sends and receives only, not barrier");
        zero.assertFails(2, ErrorKind.ERROR_KIND_ARGUMENT, "takes sends and receives only, not barrier");
    }

    @Test
    void shouldKeepTwoSessionsApartUnlessTheyNameTheirCalls() {
        SessionDriver one = SessionDriver.open(server, 0);
        SessionDriver other = SessionDriver.open(server, 0);
        one.send(Messages.submit(barrier(1)));
        Awaitility.await().until(() -> server.edge().ranks().worlds().getFirst().inFlight() == 1);
        other.send(Messages.submit(barrier(1, named("x"))));
        other.assertFails(1, ErrorKind.ERROR_KIND_ARGUMENT, "only if both name all their calls");
        SessionDriver peer = SessionDriver.open(server, 1);
        peer.send(Messages.submit(barrier(1)));
        one.assertCompletes(1);
        one.send(ClientMessage.newBuilder().setClose(Close.getDefaultInstance()).build());
        assertNull(one.responses().end());
        other.send(Messages.submit(barrier(2, named("x"))));
        peer.send(Messages.submit(barrier(2, named("x"))));
        other.assertCompletes(2);
    }

    @Test
    void shouldEndWellAfterHalfClose() {
        SessionDriver zero = SessionDriver.open(server, 0);
        SessionDriver one = SessionDriver.open(server, 1);
        zero.send(Messages.submit(barrier(1)));
        zero.halfClose();
        one.send(Messages.submit(barrier(1)));
        zero.assertCompletes(1);
        assertNull(zero.responses().end());
    }

    @Test
    void shouldFailInputThatEndsWithTheSession() {
        SessionDriver zero = SessionDriver.open(server, 0);
        zero.send(Messages.submit(Messages.operation(1).setSend(Messages.send(PLAIN, 2, 1))));
        zero.halfClose();
        zero.assertFails(1, ErrorKind.ERROR_KIND_ARGUMENT, "the input ended after 0 of 8 bytes");
        assertNull(zero.responses().end());
    }

    /** C73: the others wait, the failing rank has called nothing. */
    @Test
    void shouldTellTheOthersWhyAClientHasFailed() {
        SessionDriver zero = SessionDriver.open(server, 0);
        SessionDriver one = SessionDriver.open(server, 1);
        zero.send(Messages.submit(Messages.operation(1).setAllReduce(Messages.sum(PLAIN, 1))));
        zero.send(Messages.chunk(1, Messages.bytes(4)));
        Awaitility.await().until(() -> server.edge().ranks().worlds().getFirst().inFlight() == 1);
        one.send(ClientMessage.newBuilder()
                .setClose(Close.newBuilder().setReason("out of memory"))
                .build());
        zero.assertFails(1, ErrorKind.ERROR_KIND_ABORTED, "client of rank 1 closed: out of memory");
        zero.send(Messages.submit(barrier(2)));
        zero.assertFails(2, ErrorKind.ERROR_KIND_ABORTED, "until rank 1 has a client again");
        SessionDriver successor = SessionDriver.open(server, 1);
        successor.send(Messages.submit(barrier(1)));
        zero.send(Messages.submit(barrier(3)));
        // The call that failed was number 1 of the group: rank 1 hears so when it makes its own number 1.
        successor.assertFails(1, ErrorKind.ERROR_KIND_ABORTED, "out of memory");
        successor.send(Messages.submit(barrier(2)));
        successor.assertCompletes(2);
        zero.assertCompletes(3);
    }

    @Test
    void shouldEndTheCallsOfAClientThatDies() {
        SessionDriver zero = SessionDriver.open(server, 0);
        SessionDriver one = SessionDriver.open(server, 1);
        zero.send(Messages.submit(Messages.operation(1).setAllReduce(Messages.sum(PLAIN, 1))));
        zero.send(Messages.submit(Messages.operation(2).setRecv(Messages.recv(PLAIN, 1, 1))));
        Awaitility.await().until(() -> server.edge().inFlight().count() == 2);
        one.send(Messages.submit(Messages.operation(1).setAllReduce(Messages.sum(PLAIN, 1))));
        one.send(Messages.chunk(1, Messages.bytes(4)));
        Awaitility.await().until(() -> server.edge().inFlight().count() == 3);
        zero.kill();
        one.assertFails(1, ErrorKind.ERROR_KIND_ABORTED, "client of rank 0 closed: connection lost");
    }

    @Test
    void shouldTakeALimitedNumberOfOperations() {
        SessionDriver zero = SessionDriver.open(server, 0);
        int most = EdgeLimits.DEFAULT.operations();
        for (int id = 1; id <= most + 1; id++) {
            zero.send(Messages.submit(Messages.operation(id).setRecv(Messages.recv(PLAIN, 1, 1))));
        }
        zero.assertFails(most + 1, ErrorKind.ERROR_KIND_OVERLOADED, "operations of session 'trainer-0' are in flight");
        zero.kill();
    }

    @Test
    void shouldSayThatItIsShuttingDown() {
        SessionDriver zero = SessionDriver.open(server, 0);
        server.edge().inFlight().close();
        server.edge().streams().announceClosing("shutting down");
        assertEquals("shutting down", zero.next().getEvent().getText());
        zero.send(Messages.submit(barrier(1)));
        zero.assertFails(1, ErrorKind.ERROR_KIND_UNAVAILABLE, "shutting down");
        SessionDriver late = SessionDriver.unopened(server);
        late.send(Messages.open(0, "late"));
        late.responses().failure(Status.Code.UNAVAILABLE);
    }
}

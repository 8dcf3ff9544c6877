package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Duration;
import io.grpc.Status;
import io.parex.v1.BarrierCall;
import io.parex.v1.BarrierRequest;
import io.parex.v1.BarrierResponse;
import io.parex.v1.CallError;
import io.parex.v1.CallHeader;
import io.parex.v1.ErrorKind;
import io.parex.v1.ParexGrpc;
import io.parex.v1.RecoverRequest;
import io.parex.v1.RecoverResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Recover as any language calls it, and what it does to the order of plain RPCs and sessions. */
class RecoverRpcTest {
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
        server.close();
    }

    /** Waits until the group is recovered, which somebody else has to call for the other ranks. */
    static RecoverResponse recover(EdgeServer server, int rank) {
        Responses<RecoverRequest, RecoverResponse> responses = start(server.stub(), rank);
        RecoverResponse response = responses.next();
        assertNull(responses.end());
        return response;
    }

    private static Responses<RecoverRequest, RecoverResponse> start(ParexGrpc.ParexStub stub, int rank) {
        return start(stub, RecoverRequest.newBuilder().setRank(rank));
    }

    private static Responses<RecoverRequest, RecoverResponse> start(
            ParexGrpc.ParexStub stub, RecoverRequest.Builder request) {
        Responses<RecoverRequest, RecoverResponse> responses = Responses.all();
        stub.recover(request.build(), responses);
        return responses;
    }

    private RecoverResponse recoverBoth() {
        Responses<RecoverRequest, RecoverResponse> other = start(server.stub(), 1);
        RecoverResponse mine = recover(server, 0);
        assertEquals(mine, other.next());
        return mine;
    }

    private Responses<BarrierRequest, BarrierResponse> barrier(CallHeader.Builder header) {
        Responses<BarrierRequest, BarrierResponse> responses = Responses.all();
        server.stub()
                .barrier(
                        BarrierRequest.newBuilder()
                                .setCall(BarrierCall.newBuilder().setHeader(header))
                                .build(),
                        responses);
        return responses;
    }

    private Responses<BarrierRequest, BarrierResponse> numbered(int rank, long number) {
        return barrier(Messages.rank(rank).setSession("s").setCallNumber(number));
    }

    private void awaitInFlight(int count) {
        Awaitility.await()
                .atMost(10, TimeUnit.SECONDS)
                .until(() -> server.edge().inFlight().count() == count);
    }

    @Test
    void shouldSayWhatTheGroupIsNow() {
        RecoverResponse fresh = recoverBoth();
        assertEquals(2, fresh.getEpoch());
        assertEquals(0, fresh.getNextCall());
        assertFalse(fresh.getMembers(1).hasLastCall());
        assertEquals(1, fresh.getMembers(1).getGeneration());
        List<Responses<BarrierRequest, BarrierResponse>> barriers =
                List.of(barrier(Messages.rank(0)), barrier(Messages.rank(1)));
        barriers.forEach(each -> assertTrue(each.next().hasCompleted()));
        RecoverResponse used = recoverBoth();
        assertEquals(1, used.getNextCall());
        assertEquals(
                List.of(0, 1),
                used.getMembersList().stream().map(member -> member.getRank()).toList());
        assertTrue(
                used.getMembersList().stream().allMatch(member -> member.hasLastCall() && member.getLastCall() == 0));
        assertTrue(used.getRound() > fresh.getRound());
    }

    @Test
    void shouldFailWithStatusesAndTheirDetails() {
        CallError late = start(
                        server.stub(),
                        RecoverRequest.newBuilder()
                                .setRank(0)
                                .setGroup("world")
                                .setTimeout(Duration.newBuilder().setNanos(50_000_000)))
                .failure(Status.Code.DEADLINE_EXCEEDED);
        assertEquals(ErrorKind.ERROR_KIND_TIMEOUT, late.getKind());
        assertTrue(late.getMessage().contains("missing=[1] have not called recover"), late::getMessage);
        assertEquals("recover", late.getPrimitive());
        assertEquals(List.of(0), late.getRanksList());
        assertFalse(late.getNotStarted());
        for (RecoverRequest.Builder wrong : List.of(
                RecoverRequest.newBuilder(),
                RecoverRequest.newBuilder().setRank(7),
                RecoverRequest.newBuilder().setRank(0).setGroup("nobody"),
                RecoverRequest.newBuilder()
                        .setRank(0)
                        .setTimeout(Duration.newBuilder().setSeconds(-1)))) {
            CallError refusal = start(server.stub(), wrong).failure(Status.Code.INVALID_ARGUMENT);
            assertTrue(refusal.getNotStarted(), refusal::getMessage);
        }
        server.edge().inFlight().close();
        CallError closing = start(server.stub(), 0).failure(Status.Code.UNAVAILABLE);
        assertTrue(closing.getNotStarted());
    }

    @Test
    void shouldGiveUpAtTheDeadlineOfTheRpc() {
        Responses<RecoverRequest, RecoverResponse> hasty =
                start(server.stub().withDeadlineAfter(200, TimeUnit.MILLISECONDS), 0);
        assertEquals(
                Status.Code.DEADLINE_EXCEEDED, Status.fromThrowable(hasty.end()).getCode());
        // Else it would say that the group is being recovered already.
        recoverBoth();
    }

    @Test
    void shouldRefuseCallsOfAnotherEpochOrRound() {
        CallError epoch = barrier(Messages.rank(0).setEpoch(7)).failure(Status.Code.ABORTED);
        assertEquals(ErrorKind.ERROR_KIND_ABORTED, epoch.getKind());
        assertTrue(epoch.getNotStarted());
        assertTrue(epoch.getMessage().contains("in epoch 7, and now is epoch 2"), epoch::getMessage);
        assertTrue(epoch.getMessage().contains("call recover"), epoch::getMessage);
        CallError round = barrier(Messages.rank(0).setRound(3)).failure(Status.Code.ABORTED);
        assertTrue(round.getMessage().contains("in round 3, and now is round 0"), round::getMessage);
        RecoverResponse now = recoverBoth();
        List<Responses<BarrierRequest, BarrierResponse>> barriers = List.of(
                barrier(Messages.rank(0).setEpoch(now.getEpoch()).setRound(now.getRound())), barrier(Messages.rank(1)));
        barriers.forEach(each -> assertTrue(each.next().hasCompleted()));
    }

    @Test
    void shouldBeginNumbersAnew() {
        List<Responses<BarrierRequest, BarrierResponse>> first = List.of(numbered(0, 1), numbered(1, 1));
        first.forEach(each -> assertTrue(each.next().hasCompleted()));
        assertEquals(
                ErrorKind.ERROR_KIND_ARGUMENT,
                numbered(0, 1).failure(Status.Code.INVALID_ARGUMENT).getKind());
        Responses<BarrierRequest, BarrierResponse> held = numbered(0, 3);
        awaitInFlight(1);
        recoverBoth();
        CallError over = held.failure(Status.Code.ABORTED);
        assertTrue(over.getNotStarted());
        assertTrue(
                over.getMessage().contains("number 3 on rank 0 waited for calls with lower numbers"), over::getMessage);
        List<Responses<BarrierRequest, BarrierResponse>> second = List.of(numbered(0, 1), numbered(1, 1));
        second.forEach(each -> assertTrue(each.next().hasCompleted()));
    }

    /** A session whose client is gone, and its connection not yet, is in nobody's way. */
    @Test
    void shouldLetAnotherClientMakeCollectives() {
        SessionDriver former = SessionDriver.open(server, 0);
        Responses<BarrierRequest, BarrierResponse> other = barrier(Messages.rank(1));
        former.send(Messages.submit(Messages.operation(1).setBarrier(BarrierCall.getDefaultInstance())));
        former.assertCompletes(1);
        assertTrue(other.next().hasCompleted());
        CallError refusal = barrier(Messages.rank(0)).failure(Status.Code.INVALID_ARGUMENT);
        assertTrue(refusal.getMessage().contains("makes collectives on group"), refusal::getMessage);
        recoverBoth();
        List<Responses<BarrierRequest, BarrierResponse>> barriers =
                List.of(barrier(Messages.rank(0)), barrier(Messages.rank(1)));
        barriers.forEach(each -> assertTrue(each.next().hasCompleted()));
        former.halfClose();
    }

    /** Whoever recovers a rank is a client of it, also without a session. */
    @Test
    void shouldEndTheLossOfAClient() {
        SessionDriver dying = SessionDriver.open(server, 1);
        Responses<BarrierRequest, BarrierResponse> other = barrier(Messages.rank(0));
        dying.send(Messages.submit(Messages.operation(1).setBarrier(BarrierCall.getDefaultInstance())));
        dying.assertCompletes(1);
        assertTrue(other.next().hasCompleted());
        Responses<BarrierRequest, BarrierResponse> waiting = barrier(Messages.rank(0));
        awaitInFlight(1);
        dying.kill();
        waiting.failure(Status.Code.ABORTED);
        CallError refusal = barrier(Messages.rank(0)).failure(Status.Code.ABORTED);
        assertTrue(refusal.getMessage().contains("until rank 1 has a client again"), refusal::getMessage);
        recoverBoth();
        Responses<BarrierRequest, BarrierResponse> first = barrier(Messages.rank(0));
        awaitInFlight(1);
        assertTrue(barrier(Messages.rank(1)).next().hasCompleted());
        assertTrue(first.next().hasCompleted());
    }
}

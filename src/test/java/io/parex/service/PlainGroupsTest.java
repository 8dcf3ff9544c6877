package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.parex.v1.BarrierCall;
import io.parex.v1.BarrierRequest;
import io.parex.v1.BarrierResponse;
import io.parex.v1.CallError;
import io.parex.v1.CallHeader;
import io.parex.v1.CloseGroupRequest;
import io.parex.v1.CloseGroupResponse;
import io.parex.v1.CreateGroupRequest;
import io.parex.v1.CreateGroupResponse;
import io.parex.v1.ErrorKind;
import io.parex.v1.GetWorldRequest;
import io.parex.v1.GetWorldResponse;
import io.parex.v1.Group;
import io.parex.v1.ParexGrpc;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Groups of some ranks by plain RPCs, on three hosted ranks. */
class PlainGroupsTest {
    private EdgeServer server;
    private ParexGrpc.ParexStub stub;

    @BeforeEach
    void start() {
        server = EdgeServer.of(3);
        stub = server.stub();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static <Q, S> Responses<Q, S> call(BiConsumer<Q, StreamObserver<S>> rpc, Q request) {
        Responses<Q, S> answer = Responses.all();
        rpc.accept(request, answer);
        return answer;
    }

    private static <Q, S> S answer(BiConsumer<Q, StreamObserver<S>> rpc, Q request) {
        Responses<Q, S> answer = call(rpc, request);
        S message = answer.next();
        assertNull(answer.end());
        return message;
    }

    private static CreateGroupRequest creation(int rank, String session, Integer... members) {
        return CreateGroupRequest.newBuilder()
                .setRank(rank)
                .setName("pair")
                .addAllMembers(List.of(members))
                .setSessionId(session)
                .build();
    }

    private static CloseGroupRequest end(int rank) {
        return CloseGroupRequest.newBuilder().setRank(rank).setName("pair").build();
    }

    private Group create(int rank) {
        return answer(stub::createGroup, creation(rank, "", 2, 0)).getGroup();
    }

    private Responses<BarrierRequest, BarrierResponse> barrier(int rank) {
        return call(
                stub::barrier,
                BarrierRequest.newBuilder()
                        .setCall(BarrierCall.newBuilder()
                                .setHeader(CallHeader.newBuilder().setRank(rank).setGroup("pair")))
                        .build());
    }

    private void assertMeet() {
        Responses<BarrierRequest, BarrierResponse> two = barrier(2);
        assertNull(barrier(0).end());
        assertNull(two.end());
    }

    @Test
    void shouldKeepAGroupUntilItIsClosed() {
        Group group = create(2);
        assertEquals(
                Group.newBuilder()
                        .setName("pair")
                        .addMembers(2)
                        .addMembers(0)
                        .setRank(0)
                        .setEpoch(2)
                        .build(),
                group);
        // Once more, as after an answer that was lost on the way.
        assertEquals(group, create(2));
        assertEquals(1, create(0).getRank());
        assertMeet();
        GetWorldResponse world = answer(stub::getWorld, GetWorldRequest.getDefaultInstance());
        assertEquals(List.of(group), world.getRanks(2).getGroupsList());
        assertEquals(List.of(), world.getRanks(1).getGroupsList());

        assertEquals(CloseGroupResponse.getDefaultInstance(), answer(stub::closeGroup, end(2)));
        CallError left = barrier(0).failure(Status.Code.ABORTED);
        assertEquals(ErrorKind.ERROR_KIND_LEFT, left.getKind());
        CallError unknown = barrier(2).failure(Status.Code.INVALID_ARGUMENT);
        assertTrue(
                unknown.getMessage().contains("there is no group 'pair' on rank 2; its groups: world"),
                unknown::toString);
        answer(stub::closeGroup, end(0));
        create(0);
        create(2);
        assertMeet();
    }

    @Test
    void shouldRefuseWhatCannotBeMeant() {
        create(0);
        assertRefused(creation(1, "", 2, 0), "rank 1 of the world is not a member");
        assertRefused(creation(0, "", 0, 1), "is open on rank 0, not of ranks [0, 1]");
        assertRefused(creation(5, "", 5), "rank 5 is not hosted by this process");
        assertRefused(creation(2, "somebody's", 2, 0), "there is no session of the id 'somebody's'");
        assertRefused(creation(2, "", 2, 0).toBuilder().clearRank().build(), "the rank is missing");
        CallError unknown = call(stub::closeGroup, end(2)).failure(Status.Code.INVALID_ARGUMENT);
        assertTrue(unknown.getMessage().contains("rank 2 has no group 'pair' that was created for no session"));
        assertEquals("pair", unknown.getGroup());
        create(2);
        assertMeet();
    }

    private void assertRefused(CreateGroupRequest request, String text) {
        Responses<CreateGroupRequest, CreateGroupResponse> answer = call(stub::createGroup, request);
        CallError refusal = answer.failure(Status.Code.INVALID_ARGUMENT);
        assertTrue(refusal.getMessage().contains(text), refusal::getMessage);
        assertTrue(refusal.getNotStarted());
    }
}

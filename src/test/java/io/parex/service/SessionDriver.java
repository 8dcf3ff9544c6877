package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.stub.StreamObserver;
import io.parex.v1.CallError;
import io.parex.v1.ClientMessage;
import io.parex.v1.ErrorKind;
import io.parex.v1.Opened;
import io.parex.v1.Result;
import io.parex.v1.ServerMessage;
import java.util.HashSet;
import java.util.Set;

/** A session that a test drives message by message. */
final class SessionDriver {
    private final Responses<ClientMessage, ServerMessage> responses;
    private final StreamObserver<ClientMessage> requests;

    private SessionDriver(EdgeServer server, Responses<ClientMessage, ServerMessage> responses) {
        this.responses = responses;
        this.requests = server.stub().session(responses);
    }

    /** A stream on which nothing was said yet. */
    static SessionDriver unopened(EdgeServer server) {
        return new SessionDriver(server, Responses.all());
    }

    /** An open session of {@code rank}. */
    static SessionDriver open(EdgeServer server, int rank) {
        SessionDriver session = unopened(server);
        session.send(Messages.open(rank, "trainer-" + rank));
        Opened opened = session.next().getOpened();
        assertEquals(rank, opened.getRank());
        return session;
    }

    SessionDriver send(ClientMessage... messages) {
        for (ClientMessage message : messages) {
            requests.onNext(message);
        }
        return this;
    }

    void halfClose() {
        requests.onCompleted();
    }

    void kill() {
        responses.kill();
    }

    ServerMessage next() {
        return responses.next();
    }

    boolean hasNext() {
        return responses.hasNext();
    }

    Responses<ClientMessage, ServerMessage> responses() {
        return responses;
    }

    /** The next result, past credits and chunks; it must be that of {@code id}. */
    Result result(long id) {
        ServerMessage message = next();
        while (!message.hasResult()) {
            message = next();
        }
        assertEquals(id, message.getResult().getOperationId());
        return message.getResult();
    }

    void assertCompletes(long id) {
        Result result = result(id);
        assertTrue(result.hasCompleted(), result::toString);
    }

    /** The operations complete, in whatever order. */
    void assertComplete(Long... ids) {
        Set<Long> completed = new HashSet<>();
        while (completed.size() < ids.length) {
            ServerMessage message = next();
            if (message.hasResult()) {
                assertTrue(message.getResult().hasCompleted(), message::toString);
                completed.add(message.getResult().getOperationId());
            }
        }
        assertEquals(Set.of(ids), completed);
    }

    void assertFails(long id, ErrorKind kind, String text) {
        CallError error = result(id).getError();
        assertEquals(kind, error.getKind(), error::getMessage);
        assertTrue(error.getMessage().contains(text), error::getMessage);
    }
}

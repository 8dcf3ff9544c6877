package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.v1.ParexGrpc;
import io.parex.v1.RecvRequest;
import io.parex.v1.RecvResponse;

/** Receives a {@link Pattern} by a plain RPC, as much as it is told to, and checks every byte. */
final class StoppingReader {
    private final long count;
    private final Responses<RecvRequest, RecvResponse> responses = Responses.asked();
    private long position;

    private StoppingReader(long count) {
        this.count = count;
    }

    /** Asks for {@code count} elements from {@code source} on {@code rank}; reads nothing yet. */
    static StoppingReader start(ParexGrpc.ParexStub stub, long count, int rank, int source) {
        StoppingReader reader = new StoppingReader(count);
        stub.recv(
                RecvRequest.newBuilder()
                        .setCall(Messages.recv(Messages.rank(rank), count, source))
                        .build(),
                reader.responses);
        return reader;
    }

    /** Reads up to about byte {@code limit} and stops again. */
    void readTo(long limit) {
        while (position < limit) {
            responses.read(1);
            position = Pattern.check(responses.next().getChunk(), position);
        }
    }

    /** Breaks the RPC off. */
    void kill() {
        responses.kill();
    }

    /** Reads the rest and the good end. */
    void readToEnd() {
        readTo(4 * count);
        assertEquals(4 * count, position);
        responses.read(2);
        assertTrue(responses.next().hasCompleted());
        assertNull(responses.end());
    }
}

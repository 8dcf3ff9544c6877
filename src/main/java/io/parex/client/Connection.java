package io.parex.client;

import io.parex.v1.Opened;
import io.parex.v1.ParexGrpc;
import java.util.concurrent.TimeUnit;

/**
 * A client's way to its rank.
 *
 * @param endpoint of the rank's process
 * @param session for its operations
 * @param opened what the rank has said when the session was opened
 * @param options of the connection
 */
record Connection(Endpoint endpoint, Session session, Opened opened, ConnectOptions options) {
    /** Within which a process answers what waits for nobody else. */
    static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Rank in the world. */
    int rank() {
        return opened.getRank();
    }

    /** For an RPC beside the session. */
    ParexGrpc.ParexStub stub(long deadlineNanos) {
        return ParexGrpc.newStub(endpoint.channel()).withDeadlineAfter(deadlineNanos, TimeUnit.NANOSECONDS);
    }
}

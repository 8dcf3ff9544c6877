package io.parex.service;

import io.smallrye.mutiny.Uni;
import java.util.concurrent.Executor;

/**
 * What all streams of the gRPC edge share.
 *
 * @param ranks hosted here
 * @param limits of the edge
 * @param staging memory of all operations
 * @param inFlight count of all operations
 * @param streams that are open
 * @param gate that collectives pass
 * @param lostClients ranks whose client has failed
 * @param attendance ranks that have sessions
 * @param sequences of numbered plain RPCs
 * @param groups that clients have created
 * @param shared memory shared with clients on this machine
 * @param executor runs what the streams' threads hand over; its tasks never block
 */
record Edge(
        HostedRanks ranks,
        EdgeLimits limits,
        Staging staging,
        InFlight inFlight,
        OpenStreams streams,
        CollectiveGate gate,
        LostClients lostClients,
        Attendance attendance,
        Sequences sequences,
        ClientGroups groups,
        SharedDoors shared,
        Executor executor)
        implements AutoCloseable {

    static {
        // Mutiny sets itself up when it is first used, and fails if two threads are the first.
        Uni.createFrom().voidItem().subscribe().with(nothing -> {});
    }

    /** An idle edge to {@code ranks}. */
    static Edge of(HostedRanks ranks, EdgeLimits limits, SharedDoors shared, Executor executor) {
        return new Edge(
                ranks,
                limits,
                new Staging(limits.stagingBytes()),
                new InFlight(),
                new OpenStreams(limits.stall()),
                new CollectiveGate(),
                new LostClients(ranks),
                new Attendance(),
                new Sequences(),
                new ClientGroups(),
                shared,
                executor);
    }

    /** Stops the clock and gives the memory back; after the ranks have closed, which end the operations. */
    @Override
    public void close() {
        streams.close();
        staging.close();
    }
}

package io.parex.service;

import com.google.protobuf.InvalidProtocolBufferException;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.transport.shared.SharedLine;
import io.parex.v1.AddSegment;
import io.parex.v1.ClientMessage;
import io.parex.v1.Segment;
import io.parex.v1.ServerMessage;
import java.util.ArrayDeque;
import java.util.Queue;

/** The rings of a session, and the memory that its client has. In the session's mailbox. */
final class SharedSession {
    private final SharedLine line;
    private final SharedSegments segments;
    private final CallLabel label;
    private final long chunkRoom;
    private final Queue<byte[]> waiting = new ArrayDeque<>();

    /** Of a client whose session of {@code label} takes chunks as {@code edge} makes them. */
    SharedSession(SharedLine line, Edge edge, CallLabel label) {
        this.line = line;
        this.segments = new SharedSegments(edge.shared().budget(), edge.executor());
        this.label = label;
        // A chunk's message is a little longer than the chunk.
        this.chunkRoom = edge.limits().chunkBytes() + 1024L;
    }

    SharedSegments segments() {
        return segments;
    }

    /**
     * The client's next message; null if there is none, and then the client rings with the next.
     *
     * @throws ParexException of kind {@code protocol} if the client has written what is none
     */
    ClientMessage next() {
        byte[] record = line.next();
        while (record == null) {
            if (line.sleeps()) {
                return null;
            }
            record = line.next();
        }
        try {
            return ClientMessage.parseFrom(record);
        } catch (InvalidProtocolBufferException e) {
            throw new ParexException(ErrorKind.PROTOCOL, "the client's ring holds no message: " + e.getMessage(), e);
        }
    }

    /** The client need not ring while it is read. */
    void reads() {
        line.reads();
    }

    /** Whether a chunk finds room. */
    boolean isReady() {
        return flush() && line.takes(chunkRoom);
    }

    /** Writes what waits, for as long as there is room; whether that was all. */
    private boolean flush() {
        while (!waiting.isEmpty() && line.takes(waiting.peek().length)) {
            line.write(waiting.remove());
        }
        return waiting.isEmpty();
    }

    /** Writes a message, now or when there is room; how many wait is bounded by what is read on. */
    void write(ServerMessage message) {
        waiting.add(message.toByteArray());
        flush();
    }

    /** Makes memory for the client and tells it. Takes as long as the system needs to provide the memory. */
    void add(AddSegment asked) {
        Segment.Builder told = Segment.newBuilder();
        try {
            SharedSegments.Added added = segments.add(asked.getBytes());
            line.hand(added.memory());
            told.setSegmentId(added.id()).setBytes(added.memory().byteSize());
        } catch (ParexException e) {
            told.setError(label.error(e.asRefused()));
        }
        write(ServerMessage.newBuilder().setSegment(told).build());
    }

    /** The session has ended; calls may still use the client's memory. Once. */
    void end() {
        try {
            flush();
        } catch (ParexException e) {
            // The client has broken the ring through which it would have been told. Its memory goes back all the same.
            waiting.clear();
        }
        segments.dropAll();
        line.close();
    }
}

package io.parex.service;

import com.google.protobuf.ByteString;
import io.grpc.stub.ServerCallStreamObserver;
import io.parex.v1.Chunk;
import io.parex.v1.Credit;
import io.parex.v1.Event;
import io.parex.v1.EventKind;
import io.parex.v1.Opened;
import io.parex.v1.Result;
import io.parex.v1.ServerMessage;

/** The server's side of a session: its stream, or the rings that take its place. In the session's mailbox. */
final class SessionWriter {
    private final ServerCallStreamObserver<ServerMessage> stream;
    private SharedSession rings;
    private int unread;
    private boolean ended;

    SessionWriter(ServerCallStreamObserver<ServerMessage> stream) {
        this.stream = stream;
    }

    /** From now on all goes through {@code shared}. */
    void switchTo(SharedSession shared) {
        rings = shared;
        unread = 0;
    }

    /** Whether the client takes another chunk. */
    boolean isReady() {
        boolean ready = !ended && (rings == null ? stream.isReady() : rings.isReady());
        if (ready) {
            unread = 0;
        }
        return ready;
    }

    /**
     * Messages written since the client was seen to be ready: what a client that does not read makes the server keep.
     */
    int unread() {
        return isReady() ? 0 : unread;
    }

    void opened(Opened opened) {
        write(ServerMessage.newBuilder().setOpened(opened));
    }

    void chunk(long id, ByteString data) {
        write(ServerMessage.newBuilder()
                .setChunk(Chunk.newBuilder().setOperationId(id).setData(data)));
    }

    void credit(long id, long limit) {
        write(ServerMessage.newBuilder()
                .setCredit(Credit.newBuilder().setOperationId(id).setLimitBytes(limit)));
    }

    void result(Result result) {
        write(ServerMessage.newBuilder().setResult(result));
    }

    void event(EventKind kind, String text) {
        write(ServerMessage.newBuilder()
                .setEvent(Event.newBuilder().setKind(kind).setText(text)));
    }

    private void write(ServerMessage.Builder message) {
        if (ended || stream.isCancelled()) {
            return;
        }
        unread++;
        if (rings == null) {
            stream.onNext(message.build());
        } else {
            rings.write(message.build());
        }
    }

    /** Ends the session, well if {@code failure} is null. Once; nothing is written after it. */
    void end(Throwable failure) {
        if (ended) {
            return;
        }
        ended = true;
        if (rings != null) {
            rings.end();
        }
        if (stream.isCancelled()) {
            return;
        }
        if (failure == null) {
            stream.onCompleted();
        } else {
            stream.onError(failure);
        }
    }

    boolean isEnded() {
        return ended;
    }
}

package io.parex.client;

import com.google.protobuf.ByteString;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.v1.Cancel;
import io.parex.v1.Chunk;
import io.parex.v1.ClientMessage;
import io.parex.v1.Close;
import io.parex.v1.Credit;
import io.parex.v1.Open;
import io.parex.v1.Opened;
import io.parex.v1.Result;
import io.parex.v1.ServerMessage;
import io.parex.v1.Submit;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The client's end of a session's stream. Callers on any thread and the I/O thread write to it under one lock, for as
 * long as it takes to serialise a chunk; what comes in is handled on the I/O thread alone.
 */
final class Session implements ClientResponseObserver<ClientMessage, ServerMessage> {
    /** Large against the cost of a message, small enough not to hold up the others. */
    private static final int CHUNK_BYTES = 256 << 10;

    private final ConnectOptions options;
    private final CompletableFuture<Opened> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Map<Long, ClientOperation> running = new ConcurrentHashMap<>();

    // Under the lock of this.
    private final byte[] room = new byte[CHUNK_BYTES];
    private final SequencedSet<ClientOperation> sending = new LinkedHashSet<>();
    private ClientCallStreamObserver<ClientMessage> stream;
    private Opened limits;
    private long lastId;
    private final Map<String, Long> refusalsSeen = new HashMap<>();
    private long snapshotBytes;
    private ParexException closed;

    Session(ConnectOptions options) {
        this.options = options;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<ClientMessage> requests) {
        stream = requests;
        requests.setOnReadyHandler(this::pump);
    }

    /** Says hello; {@link #opened} tells what comes of it. */
    synchronized void open(Open open) {
        stream.onNext(ClientMessage.newBuilder().setOpen(open).build());
    }

    CompletableFuture<Opened> opened() {
        return opened;
    }

    /** Completes when the stream has ended and no operation runs any more. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /**
     * Starts operations on a group, several as a batch; those of one thread in its order. One that cannot be started
     * has failed.
     */
    void submit(List<ClientOperation> operations, String group) {
        ParexException refusal;
        try {
            refusal = trySubmit(operations, group);
        } catch (ParexException e) {
            refusal = e.asRefused();
        }
        if (refusal != null) {
            ParexException told = refusal;
            operations.forEach(operation -> operation.fail(told));
        } else {
            pump();
        }
    }

    private synchronized ParexException trySubmit(List<ClientOperation> operations, String group) {
        if (closed != null) {
            return ParexException.refused(
                    ErrorKind.UNAVAILABLE, "nothing was started, the session has ended: " + closed.getMessage());
        }
        int most = limits.getLimits().getMaxOperations();
        if (running.size() + operations.size() > most) {
            return ParexException.refused(
                    ErrorKind.OVERLOADED,
                    running.size() + " operations are in flight on this session, " + most
                            + " may be; nothing was started");
        }
        long copies =
                operations.stream().mapToLong(ClientOperation::snapshotBytes).sum();
        if (copies > options.snapshotLimitBytes() - snapshotBytes) {
            return ParexException.refused(
                    ErrorKind.OVERLOADED,
                    snapshotBytes + " bytes of messages wait to be sent, " + options.snapshotLimitBytes()
                            + " may (snapshotLimitBytes), and " + copies
                            + " more are to be copied; nothing was started, "
                            + (copies > options.snapshotLimitBytes()
                                    ? "trying again will not help: make the batch smaller, or copy less (snapshotBytes)"
                                    : "wait for some to be sent"));
        }
        // Of all before any has a place here: if the memory of one is closed, nothing is started.
        operations.forEach(ClientOperation::takeSnapshot);
        snapshotBytes += copies;
        Submit.Builder submit = Submit.newBuilder().setRefusalSeen(refusalsSeen.getOrDefault(group, 0L));
        for (ClientOperation operation : operations) {
            long id = ++lastId;
            submit.addOperations(operation.submit(id, group, limits.getLimits().getInitialCreditBytes()));
            running.put(id, operation);
            sending.add(operation);
        }
        stream.onNext(ClientMessage.newBuilder().setSubmit(submit).build());
        return null;
    }

    /** Sends input, a chunk of each operation in turn, for as long as the stream takes more. */
    private void pump() {
        Runnable broken = send();
        while (broken != null) {
            // Without the lock: whoever waits for the operation hears of it here.
            broken.run();
            broken = send();
        }
    }

    /** The end of an operation whose input cannot be read; null when nothing more can be sent. */
    private synchronized Runnable send() {
        while (closed == null && !sending.isEmpty() && stream.isReady()) {
            ClientOperation operation = sending.removeFirst();
            ByteString data;
            try {
                data = operation.nextChunk(room);
            } catch (ParexException e) {
                return () -> abandon(operation, e);
            }
            if (data != null) {
                // The bytes may be the caller's array, or the room, which is used again: without retries and on an open
                // stream, they are serialised in this call.
                stream.onNext(ClientMessage.newBuilder()
                        .setChunk(Chunk.newBuilder()
                                .setOperationId(operation.id())
                                .setData(data))
                        .build());
                if (operation.isSent()) {
                    if (operation.holdsOutput()) {
                        stream.onNext(ClientMessage.newBuilder()
                                .setCredit(Credit.newBuilder()
                                        .setOperationId(operation.id())
                                        .setLimitBytes(operation.outputBytes()))
                                .build());
                    }
                    // Others may copy from here on: the stream takes more, so it holds little.
                    snapshotBytes -= operation.stopSending();
                } else {
                    sending.add(operation);
                }
            }
        }
        return null;
    }

    /**
     * Ends an operation that cannot go on here, and cancels it on the rank. It keeps its place until the rank has
     * answered, which counts it too.
     */
    private void abandon(ClientOperation operation, ParexException failure) {
        operation.abandon();
        cancel(operation, failure.getMessage());
        operation.fail(failure);
    }

    /** Asks the rank to end an operation, which sends nothing more; the rank's answer ends it here. */
    synchronized void cancel(ClientOperation operation, String reason) {
        if (closed == null && running.get(operation.id()) == operation) {
            sending.remove(operation);
            snapshotBytes -= operation.stopSending();
            stream.onNext(ClientMessage.newBuilder()
                    .setCancel(
                            Cancel.newBuilder().setOperationId(operation.id()).setReason(reason))
                    .build());
        }
    }

    @Override
    public void onNext(ServerMessage message) {
        switch (message.getMessageCase()) {
            case OPENED -> opened(message.getOpened());
            case CHUNK -> chunk(message.getChunk());
            case CREDIT -> credit(message.getCredit());
            case RESULT -> result(message.getResult());
            case EVENT -> options.onEvent().accept(message.getEvent().getText());
            case MESSAGE_NOT_SET -> {
                // Of a newer server; nothing that is waited for.
            }
        }
    }

    private void opened(Opened message) {
        synchronized (this) {
            limits = message;
        }
        opened.complete(message);
    }

    private void chunk(Chunk chunk) {
        ClientOperation operation = running.get(chunk.getOperationId());
        if (operation == null || operation.isAbandoned()) {
            return;
        }
        try {
            operation.receive(chunk.getData());
        } catch (ParexException e) {
            abandon(operation, e);
        }
    }

    private void credit(Credit credit) {
        ClientOperation operation = running.get(credit.getOperationId());
        if (operation != null) {
            synchronized (this) {
                operation.credit(credit.getLimitBytes());
                sending.add(operation);
            }
            pump();
        }
    }

    private void result(Result result) {
        ClientOperation operation = forget(result.getOperationId());
        if (operation == null) {
            return;
        }
        if (result.hasCompleted()) {
            operation.complete(Completion.of(result.getCompleted()));
        } else {
            synchronized (this) {
                refusalsSeen.merge(operation.group(), operation.collectiveId(), Math::max);
            }
            operation.fail(Failures.of(result.getError()));
        }
    }

    /** A group was closed. */
    synchronized void forget(String group) {
        refusalsSeen.remove(group);
    }

    /** From here on nothing touches the operation's memory. Its id stays known to the rank only. */
    private synchronized ClientOperation forget(long id) {
        ClientOperation operation = running.remove(id);
        if (operation != null) {
            sending.remove(operation);
            snapshotBytes -= operation.stopSending();
        }
        return operation;
    }

    /** Leaves; with a reason, as failed. What is in flight ends when the rank has answered. */
    synchronized void close(Close how) {
        if (closed == null) {
            String reason = how.getReason();
            closed = new ParexException(
                    ErrorKind.ABORTED, "closed by this client" + (reason.isEmpty() ? "" : ": " + reason));
            stream.onNext(ClientMessage.newBuilder().setClose(how).build());
            stream.onCompleted();
        }
    }

    @Override
    public void onError(Throwable error) {
        ParexException failure = Failures.of("the session has broken", error);
        end(
                opened.isDone() && failure.kind() == ErrorKind.UNAVAILABLE
                        ? new ParexException(
                                ErrorKind.PEER_FAILED,
                                failure.getMessage() + "; what was in flight may or may not have been carried out",
                                failure)
                        : failure);
    }

    @Override
    public void onCompleted() {
        end(new ParexException(ErrorKind.ABORTED, "the rank has ended the session"));
    }

    private void end(ParexException failure) {
        ParexException reason;
        synchronized (this) {
            closed = closed == null ? failure : closed;
            reason = closed;
        }
        opened.completeExceptionally(failure);
        for (Long id : List.copyOf(running.keySet())) {
            ClientOperation operation = forget(id);
            if (operation != null) {
                operation.fail(reason);
            }
        }
        ended.complete(null);
    }
}

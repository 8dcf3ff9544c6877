package io.parex.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.TensorView;
import io.parex.v1.Operation;
import io.smallrye.mutiny.Uni;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;

/** One operation of a session, as the client sees it. */
final class ClientOperation {
    private final Operation.Builder message;
    private final TensorView output;
    private final CompletableFuture<Completion> result = new CompletableFuture<>();

    // Under the session's lock.
    private long id;
    private MemorySegment input;
    private int elementBytes;
    private long snapshotBytes;
    private long sent;
    private long credit;

    // I/O thread.
    private long received;

    // Any thread: has ended for the caller, and the rank is yet to answer.
    private volatile boolean abandoned;

    /** An operation that sends {@code input} and fills {@code output}; null for none. */
    ClientOperation(Operation.Builder message, TensorView input, TensorView output) {
        this.message = message;
        this.output = output;
        if (input != null) {
            this.input = input.segment();
            this.elementBytes = input.type().bytes();
        }
    }

    /** An operation whose input, up to {@code limit} bytes, is copied when it is submitted. */
    ClientOperation snapshot(int limit) {
        snapshotBytes = input.byteSize() <= limit ? input.byteSize() : 0;
        return this;
    }

    /** Bytes to be copied, or kept as a copy now. */
    long snapshotBytes() {
        return snapshotBytes;
    }

    /** Session's lock: whether all of the input has been handed to the stream. */
    boolean isSent() {
        return input != null && sent == input.byteSize();
    }

    /**
     * Copies its input if it is to be copied.
     *
     * @throws ParexException if the memory has been closed meanwhile
     */
    void takeSnapshot() {
        if (snapshotBytes > 0) {
            byte[] copy = new byte[(int) snapshotBytes];
            read(0, copy, copy.length);
            input = MemorySegment.ofArray(copy);
        }
    }

    /** Session's lock: gets its id and its first credit. */
    Operation submit(long operationId, long initialCredit) {
        id = operationId;
        credit = initialCredit;
        return message.setOperationId(id).build();
    }

    long id() {
        return id;
    }

    /** Its id if it is a collective, 0 if not. */
    long collectiveId() {
        return message.hasBarrier() || message.hasBroadcast() || message.hasAllReduce() ? id : 0;
    }

    /** Session's lock: the rank takes {@code limit} bytes in all. */
    void credit(long limit) {
        credit = Math.max(credit, limit);
    }

    /**
     * Session's lock: the next bytes to send, at most as many as {@code room} has, which is used for them; null if
     * there are none, or no credit for them.
     *
     * @throws ParexException if the memory has been closed
     */
    ByteString nextChunk(byte[] room) {
        if (input == null) {
            return null;
        }
        int length = (int) Math.min(Math.min(room.length, input.byteSize() - sent), credit - sent);
        length -= Math.floorMod(length, elementBytes);
        if (length <= 0) {
            return null;
        }
        ByteString chunk;
        if (input.heapBase().orElse(null) instanceof byte[] array) {
            chunk = UnsafeByteOperations.unsafeWrap(array, Math.toIntExact(input.address() + sent), length);
        } else {
            read(sent, room, length);
            chunk = UnsafeByteOperations.unsafeWrap(room, 0, length);
        }
        sent += length;
        return chunk;
    }

    private void read(long from, byte[] target, int length) {
        try {
            MemorySegment.copy(input, from, MemorySegment.ofArray(target), 0, length);
        } catch (IllegalStateException e) {
            throw closed("input", e);
        }
    }

    private static ParexException closed(String which, IllegalStateException cause) {
        return new ParexException(
                ErrorKind.ARGUMENT,
                "the memory of the " + which + " was closed before the operation had ended; the operation is cancelled"
                        + " on its rank, the session can be used",
                cause);
    }

    /** Session's lock: nothing more is read, from the caller's memory or from a copy. The bytes of the copy let go. */
    long stopSending() {
        long freed = snapshotBytes;
        input = null;
        snapshotBytes = 0;
        return freed;
    }

    /** I/O thread: the next bytes of the output. */
    void receive(ByteString data) {
        if (output == null || received + data.size() > output.byteSize()) {
            throw new ParexException(
                    ErrorKind.PROTOCOL,
                    "the rank sent " + (received + data.size()) + " bytes of output, "
                            + (output == null ? 0 : output.byteSize()) + " were asked for");
        }
        try {
            output.segment()
                    .asSlice(received, data.size())
                    .copyFrom(MemorySegment.ofBuffer(data.asReadOnlyByteBuffer()));
        } catch (IllegalStateException e) {
            throw closed("output", e);
        }
        received += data.size();
    }

    /** I/O thread: has ended well. */
    void complete(Completion completion) {
        long expected = output == null ? 0 : output.byteSize();
        if (abandoned) {
            return;
        }
        if (received == expected) {
            result.complete(completion);
        } else {
            fail(new ParexException(
                    ErrorKind.PROTOCOL, "the rank sent " + received + " of " + expected + " bytes of output"));
        }
    }

    /** Any thread: touches no memory any more, whatever comes. */
    void abandon() {
        abandoned = true;
    }

    /** Whether only the rank's answer is waited for. */
    boolean isAbandoned() {
        return abandoned;
    }

    /** Has failed. */
    void fail(ParexException failure) {
        result.completeExceptionally(failure);
    }

    boolean isDone() {
        return result.isDone();
    }

    /** The outcome, which does not depend on anyone waiting for it. */
    Uni<Completion> outcome() {
        return Outcomes.of(result);
    }
}

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

    /** Bytes to be copied. */
    long snapshotBytes() {
        return snapshotBytes;
    }

    /** Session's lock: gets its id and its first credit, and copies its input if it is to be copied. */
    Operation submit(long operationId, long initialCredit) {
        id = operationId;
        credit = initialCredit;
        if (snapshotBytes > 0) {
            byte[] copy = new byte[(int) snapshotBytes];
            MemorySegment.copy(input, 0, MemorySegment.ofArray(copy), 0, snapshotBytes);
            input = MemorySegment.ofArray(copy);
        }
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

    /** Session's lock: the next bytes to send, at most {@code limit}; null if there are none, or no credit for them. */
    ByteString nextChunk(int limit) {
        if (input == null) {
            return null;
        }
        long length = Math.min(Math.min(limit, input.byteSize() - sent), credit - sent);
        length -= Math.floorMod(length, elementBytes);
        if (length <= 0) {
            return null;
        }
        ByteString chunk =
                UnsafeByteOperations.unsafeWrap(input.asSlice(sent, length).asByteBuffer());
        sent += length;
        return chunk;
    }

    /** Session's lock: nothing more is read from the caller's memory. */
    void stopSending() {
        input = null;
    }

    /** I/O thread: the next bytes of the output. */
    void receive(ByteString data) {
        if (output == null || received + data.size() > output.byteSize()) {
            throw new ParexException(
                    ErrorKind.PROTOCOL,
                    "the rank sent " + (received + data.size()) + " bytes of output, "
                            + (output == null ? 0 : output.byteSize()) + " were asked for");
        }
        data.copyTo(output.segment().asSlice(received, data.size()).asByteBuffer());
        received += data.size();
    }

    /** I/O thread: has ended well. */
    void complete(Completion completion) {
        long expected = output == null ? 0 : output.byteSize();
        if (received == expected) {
            result.complete(completion);
        } else {
            fail(new ParexException(
                    ErrorKind.PROTOCOL, "the rank sent " + received + " of " + expected + " bytes of output"));
        }
    }

    /** Has failed. */
    void fail(ParexException failure) {
        result.completeExceptionally(failure);
    }

    /** The outcome, which does not depend on anyone waiting for it. */
    Uni<Completion> outcome() {
        return Outcomes.of(result);
    }
}

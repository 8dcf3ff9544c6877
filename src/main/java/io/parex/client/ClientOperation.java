package io.parex.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.TensorView;
import io.parex.v1.Operation;
import io.smallrye.mutiny.Uni;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One operation of a session, as the client sees it. */
final class ClientOperation {
    private final Operation.Builder message;
    private final Memory output;
    private final CompletableFuture<Completion> result = new CompletableFuture<>();

    // Under the session's lock.
    private long id;
    private String group;
    private Memory input;
    private boolean holdsOutput;
    private boolean fillsAll = true;
    private long snapshotBytes;
    private long sent;
    private long credit;

    // I/O thread.
    private long received;

    // Any thread: has ended for the caller, and the rank is yet to answer.
    private volatile boolean abandoned;

    /** An operation that sends {@code input} and fills {@code output}; null for none. */
    ClientOperation(Operation.Builder message, TensorView input, TensorView output) {
        this(
                message,
                input == null ? null : Memory.readable(List.of(input)),
                output == null ? null : Memory.writable(List.of(output)));
    }

    /** The same of memory that has been looked at. */
    ClientOperation(Operation.Builder message, Memory input, Memory output) {
        this.message = message;
        this.input = input;
        this.output = output;
    }

    /** Takes no output before all of the input has been sent, which it would replace. */
    ClientOperation holdingOutput() {
        if (input.byteSize() > 0) {
            holdsOutput = true;
            message.setOutputCreditBytes(0);
        }
        return this;
    }

    /** Takes output of any length for which there is room. */
    ClientOperation takingUpTo() {
        fillsAll = false;
        return this;
    }

    /** Session's lock: whether the rank is yet to be told that output may come. */
    boolean holdsOutput() {
        return holdsOutput;
    }

    /** Bytes of output in all. */
    long outputBytes() {
        return output == null ? 0 : output.byteSize();
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
            long done = 0;
            while (done < copy.length) {
                MemorySegment part = input.at(done, copy.length - done);
                read(part, MemorySegment.ofArray(copy).asSlice(done, part.byteSize()));
                done += part.byteSize();
            }
            input = Memory.of(copy, input.type());
        }
    }

    /** Session's lock: gets its id and its first credit. */
    Operation submit(long operationId, String onGroup, long initialCredit) {
        id = operationId;
        group = onGroup;
        credit = initialCredit;
        return message.setOperationId(id).build();
    }

    /** The group that it is called on; empty for that of all ranks. */
    String group() {
        return group;
    }

    long id() {
        return id;
    }

    /** Its id if it is a collective, 0 if not. */
    long collectiveId() {
        return switch (message.getCallCase()) {
            case SEND, RECV, SEND_RECV, CALL_NOT_SET -> 0;
            default -> id;
        };
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
        long limit = Math.min(Math.min(room.length, input.byteSize() - sent), credit - sent);
        limit -= Math.floorMod(limit, input.type().bytes());
        if (limit <= 0) {
            return null;
        }
        MemorySegment part = input.at(sent, limit);
        int length = (int) part.byteSize();
        ByteString chunk;
        if (part.heapBase().orElse(null) instanceof byte[] array) {
            chunk = UnsafeByteOperations.unsafeWrap(array, Math.toIntExact(part.address()), length);
        } else {
            read(part, MemorySegment.ofArray(room).asSlice(0, length));
            chunk = UnsafeByteOperations.unsafeWrap(room, 0, length);
        }
        sent += length;
        return chunk;
    }

    private static void read(MemorySegment source, MemorySegment target) {
        try {
            target.copyFrom(source);
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
        MemorySegment source = MemorySegment.ofBuffer(data.asReadOnlyByteBuffer());
        long done = 0;
        while (done < data.size()) {
            MemorySegment target = output.at(received, data.size() - done);
            try {
                target.copyFrom(source.asSlice(done, target.byteSize()));
            } catch (IllegalStateException e) {
                throw closed("output", e);
            }
            done += target.byteSize();
            received += target.byteSize();
        }
    }

    /** I/O thread: has ended well. */
    void complete(Completion completion) {
        if (abandoned) {
            return;
        }
        long expected = fillsAll || output == null
                ? outputBytes()
                : completion.count() * output.type().bytes();
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

package io.parex.world;

import io.parex.schedule.Primitive;
import io.parex.tensor.ReduceOp;

/**
 * An operation in its general form, on streams. Made by the factories, which fill what does not apply.
 *
 * @param primitive what to do
 * @param input what this rank gives, null if nothing
 * @param output what this rank gets, null if nothing; through the same window as the input: in place
 * @param op reduction, or null
 * @param root group rank of the root, -1 without one
 * @param destination group rank to send to, -1 without one
 * @param sendTag tag of what is sent
 * @param source group rank to receive from, {@link ProcessGroup#ANY_SOURCE} for any
 * @param recvTag tag of what is received, {@link ProcessGroup#ANY_TAG} for any
 * @param options timeout, algorithm, name
 */
public record Call(
        Primitive primitive,
        TensorStream input,
        TensorStream output,
        ReduceOp op,
        int root,
        int destination,
        int sendTag,
        int source,
        int recvTag,
        CallOptions options) {

    /** A call of which nothing is known but what it should have been; it can only be given up. */
    public static Call unmade(Primitive primitive) {
        return new Call(primitive, null, null, null, -1, -1, -1, -1, -1, CallOptions.DEFAULT);
    }

    /** Sends {@code input} to {@code destination}. */
    public static Call send(TensorStream input, int destination, int tag, CallOptions options) {
        return new Call(Primitive.ISEND, input, null, null, -1, destination, tag, -1, -1, options);
    }

    /** Receives into {@code output} from {@code source}. */
    public static Call recv(TensorStream output, int source, int tag, CallOptions options) {
        return new Call(Primitive.IRECV, null, output, null, -1, -1, -1, source, tag, options);
    }

    /** Sends and receives at once; never waits for its own other half. */
    public static Call sendRecv(Call send, Call recv) {
        return new Call(
                Primitive.SEND_RECV,
                send.input,
                recv.output,
                null,
                -1,
                send.destination,
                send.sendTag,
                recv.source,
                recv.recvTag,
                send.options);
    }

    /** Returns when every member has called. */
    public static Call barrier(CallOptions options) {
        return new Call(Primitive.BARRIER, null, null, null, -1, -1, -1, -1, -1, options);
    }

    /** Gives the root's {@code tensor} to all; the root reads its stream, the others write theirs. */
    public static Call broadcast(TensorStream tensor, int root, boolean isRoot, CallOptions options) {
        return new Call(
                Primitive.BROADCAST,
                isRoot ? tensor : null,
                isRoot ? null : tensor,
                null,
                root,
                -1,
                -1,
                -1,
                -1,
                options);
    }

    /** Combines the inputs of all into every output. */
    public static Call allReduce(TensorStream input, TensorStream output, ReduceOp op, CallOptions options) {
        return new Call(Primitive.ALL_REDUCE, input, output, op, -1, -1, -1, -1, -1, options);
    }

    /** The same call under another name of its primitive: send for isend, recv for irecv. */
    Call as(Primitive name) {
        return new Call(name, input, output, op, root, destination, sendTag, source, recvTag, options);
    }

    boolean isPointToPoint() {
        return switch (primitive) {
            case SEND, RECV, ISEND, IRECV, SEND_RECV -> true;
            default -> false;
        };
    }

    boolean isInPlace() {
        return input != null && output != null && input.sharesWindow(output);
    }

    /** Size of the larger side in bytes. */
    long bytes() {
        return Math.max(input == null ? 0 : input.byteSize(), output == null ? 0 : output.byteSize());
    }

    /** The stream that tells type and count, null for a barrier. */
    TensorStream shape() {
        return input != null ? input : output;
    }
}

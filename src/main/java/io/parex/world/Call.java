package io.parex.world;

import io.parex.ParexException;
import io.parex.schedule.Blocks;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.tensor.ReduceOp;
import java.util.Arrays;

/**
 * An operation in its general form, on streams. Made by the factories, which fill what does not apply.
 *
 * @param primitive what to do
 * @param input what this rank gives, null if nothing
 * @param output what this rank gets, null if nothing; through the same memory as the input, or a part of it: in place
 * @param op reduction, or null
 * @param factor of a reduction that takes one, else null
 * @param root group rank of the root, -1 without one
 * @param blocks of a v-form: what is whose, as far as this rank knows; null where it follows from the tensors
 * @param incoming of all_to_all_v: what this rank gets from each; else null
 * @param open whether the ranks tell each other the lengths of blocks first, and the output is only room for as much
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
        Double factor,
        int root,
        Blocks blocks,
        Blocks incoming,
        boolean open,
        int destination,
        int sendTag,
        int source,
        int recvTag,
        CallOptions options) {

    /** A call of which nothing is known but what it should have been; it can only be given up. */
    public static Call unmade(Primitive primitive) {
        return collective(primitive, null, null, CallOptions.DEFAULT);
    }

    /** Sends {@code input} to {@code destination}. */
    public static Call send(TensorStream input, int destination, int tag, CallOptions options) {
        return new Call(
                Primitive.ISEND, input, null, null, null, -1, null, null, false, destination, tag, -1, -1, options);
    }

    /** Receives into {@code output} from {@code source}. */
    public static Call recv(TensorStream output, int source, int tag, CallOptions options) {
        return new Call(Primitive.IRECV, null, output, null, null, -1, null, null, false, -1, -1, source, tag, options);
    }

    /** Sends and receives at once; never waits for its own other half. */
    public static Call sendRecv(Call send, Call recv) {
        return new Call(
                Primitive.SEND_RECV,
                send.input,
                recv.output,
                null,
                null,
                -1,
                null,
                null,
                false,
                send.destination,
                send.sendTag,
                recv.source,
                recv.recvTag,
                send.options);
    }

    private static Call collective(Primitive primitive, TensorStream input, TensorStream output, CallOptions options) {
        return new Call(primitive, input, output, null, null, -1, null, null, false, -1, -1, -1, -1, options);
    }

    /** Returns when every member has called. */
    public static Call barrier(CallOptions options) {
        return collective(Primitive.BARRIER, null, null, options);
    }

    /** Gives the root's {@code tensor} to all; the root reads its stream, the others write theirs. */
    public static Call broadcast(TensorStream tensor, int root, boolean isRoot, CallOptions options) {
        return collective(Primitive.BROADCAST, isRoot ? tensor : null, isRoot ? null : tensor, options)
                .rootedAt(root);
    }

    /** Gives each rank its block of the root's {@code input}; null elsewhere. */
    public static Call scatter(TensorStream input, TensorStream output, int root, CallOptions options) {
        return collective(Primitive.SCATTER, input, output, options).rootedAt(root);
    }

    /** Brings the blocks of all ranks to the root's {@code output}; null elsewhere. */
    public static Call gather(TensorStream input, TensorStream output, int root, CallOptions options) {
        return collective(Primitive.GATHER, input, output, options).rootedAt(root);
    }

    /** Brings the blocks of all ranks to all. */
    public static Call allGather(TensorStream input, TensorStream output, CallOptions options) {
        return collective(Primitive.ALL_GATHER, input, output, options);
    }

    /** Combines the inputs of all at the root, which alone has an {@code output}. */
    public static Call reduce(
            TensorStream input, TensorStream output, ReduceOp op, Double factor, int root, CallOptions options) {
        return collective(Primitive.REDUCE, input, output, options)
                .combining(op, factor)
                .rootedAt(root);
    }

    /** Combines the inputs of all into every output. */
    public static Call allReduce(TensorStream input, TensorStream output, ReduceOp op, CallOptions options) {
        return allReduce(input, output, op, null, options);
    }

    /** The same with a factor, for a reduction that takes one. */
    public static Call allReduce(
            TensorStream input, TensorStream output, ReduceOp op, Double factor, CallOptions options) {
        return collective(Primitive.ALL_REDUCE, input, output, options).combining(op, factor);
    }

    /** Combines the inputs of all and gives each rank its block. */
    public static Call reduceScatter(
            TensorStream input, TensorStream output, ReduceOp op, Double factor, CallOptions options) {
        return collective(Primitive.REDUCE_SCATTER, input, output, options).combining(op, factor);
    }

    /** Gives each rank its block of this one's input, and takes this rank's block of each other's. */
    public static Call allToAll(TensorStream input, TensorStream output, CallOptions options) {
        return collective(Primitive.ALL_TO_ALL, input, output, options);
    }

    /**
     * The v-form of this call, with blocks of any lengths.
     *
     * @param lengths of all blocks; for scatter and gather only the root need know those of the others, and elsewhere
     *     it may be null
     */
    public Call withBlocks(Blocks lengths) {
        return with(primitive.vForm(), lengths, null, false);
    }

    /** The v-form of an all_to_all: what this rank has for each, and what it gets from each. */
    public Call withBlocks(Blocks lengths, Blocks received) {
        return with(primitive.vForm(), lengths, received, false);
    }

    /**
     * The v-form of this call for ranks that do not know how much they get: they are told first, which takes as long as
     * a small call more. All ranks must say so alike. The output is room for as much as may come; how much it was, the
     * completion says.
     *
     * @param known lengths of the blocks that this rank gives: of the root's input for scatter, of the input for
     *     all_to_all; null elsewhere
     */
    public Call withOpenLengths(Blocks known) {
        return with(primitive.vForm(), known, null, true);
    }

    /** Blocks of the given lengths; null, or one that is negative, is an argument error. */
    public static Blocks blocks(long... lengths) {
        if (lengths == null) {
            throw ParexException.argument("the lengths are missing (null)");
        }
        try {
            return Blocks.of(lengths);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw ParexException.argument("lengths " + Arrays.toString(lengths) + ": " + e.getMessage());
        }
    }

    private Call with(Primitive name, Blocks lengths, Blocks received, boolean told) {
        return new Call(
                name,
                input,
                output,
                op,
                factor,
                root,
                lengths,
                received,
                told,
                destination,
                sendTag,
                source,
                recvTag,
                options);
    }

    private Call rootedAt(int rank) {
        return new Call(primitive, input, output, op, factor, rank, blocks, incoming, open, -1, -1, -1, -1, options);
    }

    private Call combining(ReduceOp by, Double scale) {
        return new Call(primitive, input, output, by, scale, root, blocks, incoming, open, -1, -1, -1, -1, options);
    }

    /** The same call under another name of its primitive: send for isend, recv for irecv. */
    Call as(Primitive name) {
        return with(name, blocks, incoming, open);
    }

    boolean isPointToPoint() {
        return !primitive.isCollective();
    }

    /**
     * What the schedule of this collective, with lengths that are known, is to solve on a rank.
     *
     * @throws ParexException of kind {@code argument} if tensors and blocks do not fit together
     */
    Problem problem(int rank, int size) {
        Blocks mine = blocks != null ? blocks : blocksOfTensors(rank, size);
        Blocks theirs = incoming != null ? incoming : mine;
        if (mine.size() != size || theirs.size() != size) {
            throw ParexException.argument("lengths are given for " + (mine.size() != size ? mine : theirs).size()
                    + " ranks, and the group has " + size);
        }
        Problem apart = new Problem(primitive, rank, Math.max(0, root), mine, theirs, false);
        return isInPlace(apart) ? new Problem(primitive, rank, apart.root(), mine, theirs, true) : apart;
    }

    private Blocks blocksOfTensors(int rank, int size) {
        try {
            return switch (primitive) {
                case BARRIER -> Blocks.spread(0, size);
                case GATHER, ALL_GATHER -> Blocks.each(count(input), size);
                case SCATTER -> rank == root ? divided(input, size) : Blocks.each(count(output), size);
                case REDUCE_SCATTER, ALL_TO_ALL -> divided(input, size);
                case GATHER_V -> only(rank, count(input), size);
                case SCATTER_V -> only(rank, count(output), size);
                default -> Blocks.spread(shape() == null ? 0 : shape().count(), size);
            };
        } catch (ArithmeticException e) {
            throw ParexException.argument("tensors of more elements than can be counted: " + e.getMessage());
        }
    }

    /** What a rank knows that is not the root of a pairwise v-form. */
    private static Blocks only(int rank, long length, int size) {
        long[] lengths = new long[size];
        lengths[rank] = length;
        return Blocks.of(lengths);
    }

    private Blocks divided(TensorStream tensor, int size) {
        long count = count(tensor);
        if (count % size != 0) {
            throw ParexException.argument(count + " elements cannot be divided equally among " + size + " ranks; "
                    + primitive.vForm().label() + " takes blocks of any lengths");
        }
        return Blocks.spread(count, size);
    }

    private static long count(TensorStream tensor) {
        return tensor == null ? 0 : tensor.count();
    }

    /** Whether the smaller of input and output lies in the larger where the primitive has it in place. */
    private boolean isInPlace(Problem problem) {
        if (input == null || output == null || Math.min(input.byteSize(), output.byteSize()) == 0) {
            return false;
        }
        long offset = problem.blocks().offset(problem.rank()) * input.type().bytes();
        return switch (primitive.base()) {
            case GATHER, ALL_GATHER -> input.isAt(output, offset);
            case SCATTER, REDUCE_SCATTER -> output.isAt(input, offset);
            case ALL_TO_ALL -> output.isAt(input, 0) && problem.blocks().equals(problem.incoming());
            default -> output.isAt(input, 0);
        };
    }

    /** Size of the larger side in bytes. */
    long bytes() {
        return Math.max(input == null ? 0 : input.byteSize(), output == null ? 0 : output.byteSize());
    }

    /** The stream that tells the type, and where the primitive has one tensor the count; null for a barrier. */
    TensorStream shape() {
        return input != null ? input : output;
    }
}

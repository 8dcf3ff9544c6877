package io.parex.client;

import io.parex.ParexException;
import io.parex.client.CollectiveCalls.Combining;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.v1.CallHeader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/**
 * The collectives of a client: all ranks call the same one, in the same order, with arguments that fit together. When
 * they start, whose the tensors are, and how they fail: see {@link ParexClient}.
 *
 * <p><em>Tensors.</em> Elements are of one type on all ranks. A tensor of p equal blocks, one for each rank, has them
 * one after the other in the order of ranks. Forms whose name ends in V take blocks of any lengths, given by rank in
 * elements; any may be 0. A tensor that only the root has is null elsewhere. Lists of tensors are one call, as if they
 * lay one after the other.
 *
 * <p><em>In place</em> is a call whose tensors share memory so: the same tensor (reduce at the root, all_reduce,
 * all_to_all), the input as this rank's block of the output (all_gather, gather at the root), or the output as this
 * rank's block of the input (reduce_scatter, scatter at the root). Any other overlap is refused.
 */
public abstract sealed class ClientCollectives permits ParexClient {
    ClientCollectives() {}

    /** Rank of this session. */
    public abstract int rank();

    /** Number of ranks in the world. */
    public abstract int size();

    /** Starts what {@code made} makes, or fails with what it throws. */
    abstract ClientWork start(Supplier<ClientOperation> made);

    /** For the headers of calls. */
    abstract Epoch present();

    static ClientOptions given(ClientOptions call) {
        return Arguments.given(call, "call's options object");
    }

    private CallHeader header(ClientOptions call) {
        return Calls.header(given(call), present());
    }

    /** Done when every rank has called. */
    public ClientWork barrier(ClientOptions call) {
        return start(() -> new ClientOperation(CollectiveCalls.barrier(header(call)), (Memory) null, null));
    }

    /** Gives the root's {@code tensor} to all: read on the root, written on all others. */
    public ClientWork broadcast(TensorView tensor, int root, ClientOptions call) {
        return start(() -> broadcast(alone(tensor), root, header(call)));
    }

    /** Gives the root's {@code tensors} to all. */
    public ClientWork broadcast(List<TensorView> tensors, int root, ClientOptions call) {
        return start(() -> broadcast(listed(tensors), root, header(call)));
    }

    private ClientOperation broadcast(List<TensorView> tensors, int root, CallHeader header) {
        boolean isRoot = root == rank();
        Memory memory = isRoot ? Memory.readable(tensors) : Memory.writable(tensors);
        return new ClientOperation(
                CollectiveCalls.broadcast(header, memory, root), isRoot ? memory : null, isRoot ? null : memory);
    }

    /** Gives each rank its block of the root's {@code input} of p blocks; {@code output} is one block. */
    public ClientWork scatter(TensorView input, TensorView output, int root, ClientOptions call) {
        return start(() -> scatter(input, output, null, root, header(call)));
    }

    /**
     * As {@link #scatter}, of blocks of any lengths.
     *
     * @param lengths of all blocks at the root; null elsewhere
     */
    public ClientWork scatterV(TensorView input, TensorView output, long[] lengths, int root, ClientOptions call) {
        return start(() -> scatter(input, output, known(lengths, root), root, header(call)));
    }

    private ClientOperation scatter(TensorView input, TensorView output, long[] lengths, int root, CallHeader header) {
        Memory block = Memory.writable(alone(output));
        Memory whole = root == rank() ? Memory.readable(alone(input)) : null;
        requireWhole(whole, block, lengths);
        requirePlace(block, whole, lengths);
        return new ClientOperation(CollectiveCalls.scatter(header, block, root, lengths), whole, block);
    }

    /** Brings the blocks of all ranks to the root's {@code output} of p blocks; {@code input} is one block. */
    public ClientWork gather(TensorView input, TensorView output, int root, ClientOptions call) {
        return start(() -> gather(input, output, null, root, header(call)));
    }

    /**
     * As {@link #gather}, of blocks of any lengths.
     *
     * @param lengths of all blocks at the root; null elsewhere
     */
    public ClientWork gatherV(TensorView input, TensorView output, long[] lengths, int root, ClientOptions call) {
        return start(() -> gather(input, output, known(lengths, root), root, header(call)));
    }

    private ClientOperation gather(TensorView input, TensorView output, long[] lengths, int root, CallHeader header) {
        Memory block = Memory.readable(alone(input));
        Memory whole = root == rank() ? Memory.writable(alone(output)) : null;
        requireWhole(whole, block, lengths);
        requirePlace(block, whole, lengths);
        return new ClientOperation(CollectiveCalls.gather(header, block, root, lengths), block, whole);
    }

    /** Brings the blocks of all ranks to all: {@code input} is one block, {@code output} has p. */
    public ClientWork allGather(TensorView input, TensorView output, ClientOptions call) {
        return start(() -> allGather(alone(input), alone(output), null, header(call)));
    }

    /** As {@link #allGather}, of blocks of any lengths, which all ranks give alike. */
    public ClientWork allGatherV(TensorView input, TensorView output, long[] lengths, ClientOptions call) {
        return start(() -> allGather(alone(input), alone(output), copy(lengths), header(call)));
    }

    /** As {@link #allGather} of each pair of the two lists, in one call. */
    public ClientWork allGather(List<TensorView> inputs, List<TensorView> outputs, ClientOptions call) {
        return start(() -> allGather(listed(inputs), byRank(inputs, outputs), null, header(call)));
    }

    private ClientOperation allGather(
            List<TensorView> inputs, List<TensorView> outputs, long[] lengths, CallHeader header) {
        Memory block = Memory.readable(inputs);
        Memory whole = Memory.writable(outputs);
        requireWhole(whole, block, lengths);
        requirePlace(block, whole, lengths);
        return new ClientOperation(CollectiveCalls.allGather(header, block, lengths), block, whole);
    }

    /** Combines the inputs of all ranks at the root, which alone has an {@code output}. */
    public ClientWork reduce(TensorView input, TensorView output, ReduceOp op, int root, ClientOptions call) {
        return start(() -> reduce(input, output, combining(op, null), root, header(call)));
    }

    /** As {@link #reduce}, with the factor of a reduction that takes one. */
    public ClientWork reduce(
            TensorView input, TensorView output, ReduceOp op, double factor, int root, ClientOptions call) {
        return start(() -> reduce(input, output, combining(op, factor), root, header(call)));
    }

    private ClientOperation reduce(TensorView input, TensorView output, Combining by, int root, CallHeader header) {
        Memory from = Memory.readable(alone(input));
        Memory into = root == rank() ? Memory.writable(alone(output)) : null;
        if (into != null) {
            requireAlike(from, into);
        }
        return new ClientOperation(CollectiveCalls.reduce(header, from, by, root), from, into);
    }

    /** Combines the inputs of all ranks, element by element, into every output. All get the same bits. */
    public ClientWork allReduce(TensorView input, TensorView output, ReduceOp op, ClientOptions call) {
        return start(() -> allReduce(alone(input), alone(output), combining(op, null), header(call)));
    }

    /** As {@link #allReduce}, with the factor of a reduction that takes one. */
    public ClientWork allReduce(TensorView input, TensorView output, ReduceOp op, double factor, ClientOptions call) {
        return start(() -> allReduce(alone(input), alone(output), combining(op, factor), header(call)));
    }

    /** As {@link #allReduce} of each pair of the two lists, in one call. */
    public ClientWork allReduce(List<TensorView> inputs, List<TensorView> outputs, ReduceOp op, ClientOptions call) {
        return start(() -> allReduce(listed(inputs), listed(outputs), combining(op, null), header(call)));
    }

    private static ClientOperation allReduce(
            List<TensorView> inputs, List<TensorView> outputs, Combining by, CallHeader header) {
        Memory from = Memory.readable(inputs);
        Memory into = Memory.writable(outputs);
        requireAlike(from, into);
        return new ClientOperation(CollectiveCalls.allReduce(header, from, by), from, into);
    }

    /** Combines the inputs of all ranks, of p blocks each, and gives each rank its block of the result. */
    public ClientWork reduceScatter(TensorView input, TensorView output, ReduceOp op, ClientOptions call) {
        return start(() -> reduceScatter(alone(input), alone(output), null, combining(op, null), header(call)));
    }

    /** As {@link #reduceScatter}, with the factor of a reduction that takes one. */
    public ClientWork reduceScatter(
            TensorView input, TensorView output, ReduceOp op, double factor, ClientOptions call) {
        return start(() -> reduceScatter(alone(input), alone(output), null, combining(op, factor), header(call)));
    }

    /** As {@link #reduceScatter}, of blocks of any lengths, which all ranks give alike. */
    public ClientWork reduceScatterV(
            TensorView input, TensorView output, long[] lengths, ReduceOp op, ClientOptions call) {
        return start(
                () -> reduceScatter(alone(input), alone(output), copy(lengths), combining(op, null), header(call)));
    }

    /** As {@link #reduceScatter} of each pair of the two lists, in one call. */
    public ClientWork reduceScatter(
            List<TensorView> inputs, List<TensorView> outputs, ReduceOp op, ClientOptions call) {
        return start(
                () -> reduceScatter(byRank(outputs, inputs), listed(outputs), null, combining(op, null), header(call)));
    }

    private ClientOperation reduceScatter(
            List<TensorView> inputs, List<TensorView> outputs, long[] lengths, Combining by, CallHeader header) {
        Memory whole = Memory.readable(inputs);
        Memory block = Memory.writable(outputs);
        requireWhole(whole, block, lengths);
        requirePlace(block, whole, lengths);
        return new ClientOperation(CollectiveCalls.reduceScatter(header, block, by, lengths), whole, block);
    }

    /** Gives each rank its block of this one's {@code input}, and takes this rank's block of each other's. */
    public ClientWork allToAll(TensorView input, TensorView output, ClientOptions call) {
        return start(() -> {
            Memory from = Memory.readable(alone(input));
            Memory into = Memory.writable(alone(output));
            requireAlike(from, into);
            ClientOperation operation =
                    new ClientOperation(CollectiveCalls.allToAll(header(call), from, null, null), from, into);
            return from.isSame(into) ? operation.holdingOutput() : operation;
        });
    }

    /**
     * As {@link #allToAll}, of blocks of any lengths.
     *
     * @param sendLengths of the blocks in {@code input}, one for each rank
     * @param recvLengths of the blocks in {@code output}, one from each rank
     */
    public ClientWork allToAllV(
            TensorView input, long[] sendLengths, TensorView output, long[] recvLengths, ClientOptions call) {
        return start(() -> {
            Memory from = Memory.readable(alone(input));
            Memory into = Memory.writable(alone(output));
            requireType(from, into);
            long[] sent = copy(sendLengths);
            long[] received = copy(recvLengths);
            requireSum(from, sent, "input");
            requireSum(into, received, "output");
            if (from.overlaps(into)) {
                throw ParexException.argument("input and output of all_to_all_v overlap");
            }
            return new ClientOperation(CollectiveCalls.allToAll(header(call), from, sent, received), from, into);
        });
    }

    private static List<TensorView> alone(TensorView tensor) {
        return Collections.singletonList(tensor);
    }

    private static List<TensorView> listed(List<TensorView> tensors) {
        if (Arguments.given(tensors, "list of tensors").isEmpty()) {
            throw ParexException.argument("the list of tensors is empty");
        }
        tensors.forEach(tensor -> Arguments.given(tensor, "tensor"));
        return tensors;
    }

    /** The parts of outputs of p blocks each in the order in which they come: rank by rank. */
    private List<TensorView> byRank(List<TensorView> inputs, List<TensorView> outputs) {
        if (listed(inputs).size() != listed(outputs).size()) {
            throw ParexException.argument(inputs.size() + " inputs and " + outputs.size() + " outputs");
        }
        List<TensorView> parts = new ArrayList<>();
        for (int from = 0; from < size(); from++) {
            for (int i = 0; i < inputs.size(); i++) {
                long count = inputs.get(i).count();
                if (outputs.get(i).count() != count * size()) {
                    throw ParexException.argument("tensor " + i + " of all blocks has "
                            + outputs.get(i).count() + " elements, " + size() + " blocks of " + count + " are due");
                }
                parts.add(outputs.get(i).slice(from * count, count));
            }
        }
        return parts;
    }

    private static Combining combining(ReduceOp op, Double factor) {
        return new Combining(Arguments.given(op, "reduction"), factor);
    }

    private static long[] copy(long[] lengths) {
        return Arguments.given(lengths, "array of lengths").clone();
    }

    /** The lengths of a rooted V form: all at the root, none elsewhere. */
    private long[] known(long[] lengths, int root) {
        return root == rank() ? copy(lengths) : new long[0];
    }

    private static void requireType(Memory input, Memory output) {
        if (input.type() != output.type()) {
            throw ParexException.argument("input is " + input.type().label() + ", output "
                    + output.type().label());
        }
    }

    /** Two tensors of one shape, in the same memory or apart. */
    private static void requireAlike(Memory input, Memory output) {
        requireType(input, output);
        if (input.count() != output.count()) {
            throw ParexException.argument(
                    "input has " + input.count() + " elements, output " + output.count() + ", and both are one shape");
        }
        if (!input.isSame(output) && input.overlaps(output)) {
            throw ParexException.argument("input and output overlap without being the same memory");
        }
    }

    private void requireWhole(Memory whole, Memory block, long[] lengths) {
        if (whole == null) {
            return;
        }
        requireType(whole, block);
        if (lengths != null) {
            requireSum(whole, lengths, "tensor of all blocks");
        } else if (whole.count() != block.count() * size()) {
            throw ParexException.argument("the tensor of all blocks has " + whole.count() + " elements, " + size()
                    + " blocks of " + block.count() + " are due");
        }
    }

    private static void requireSum(Memory tensor, long[] lengths, String what) {
        long sum = 0;
        for (long length : lengths) {
            if (length < 0 || (sum += length) < 0) {
                throw ParexException.argument("a length of " + length + " elements, or more of them than there can be");
            }
        }
        if (sum != tensor.count()) {
            throw ParexException.argument(
                    "the " + what + " has " + tensor.count() + " elements, the lengths make " + sum);
        }
    }

    /** A block lies where it belongs in the tensor of all blocks, or apart from it. */
    private void requirePlace(Memory block, Memory whole, long[] lengths) {
        if (whole == null || !block.overlaps(whole)) {
            return;
        }
        long before = rank() * block.count();
        if (lengths != null) {
            before = 0;
            for (int rank = 0; rank < Math.min(rank(), lengths.length); rank++) {
                before += lengths[rank];
            }
        }
        if (!block.isAt(whole, before * block.type().bytes())) {
            throw ParexException.argument("the block overlaps the tensor of all blocks, and is not this rank's in it");
        }
    }
}

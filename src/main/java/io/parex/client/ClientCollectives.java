package io.parex.client;

import io.parex.ParexException;
import io.parex.client.CollectiveCalls.Combining;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
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
 * all_to_all, there with the same lengths both ways), the input as this rank's block of the output (all_gather, gather
 * at the root), or the output as this rank's block of the input (reduce_scatter, scatter at the root). Any other
 * overlap is refused.
 *
 * <p><em>Lengths known or open.</em> The V forms take the lengths that a rank knows. Where receivers do not know what
 * comes, every rank calls the form whose name ends in VOpen: the ranks tell each other the lengths first, outputs are
 * room for as much as may come, and {@link Completion#lengths} says what came. Room that is too small fails the call,
 * and the error says on which rank, and how much would have come.
 */
public abstract sealed class ClientCollectives permits ClientOperations {
    ClientCollectives() {}

    /** Rank of this client in the group. */
    public abstract int rank();

    /** Number of members of the group. */
    public abstract int size();

    /** Starts what {@code made} makes, or fails with what it throws. */
    abstract ClientWork start(Supplier<ClientOperation> made);

    /** For the headers of calls. */
    abstract Epoch present();

    static ClientOptions given(ClientOptions call) {
        return Arguments.given(call, "call's options object");
    }

    private CollectiveOperations on(ClientOptions call) {
        return new CollectiveOperations(rank(), size(), Calls.header(given(call), present()));
    }

    /** Done when every rank has called. */
    public ClientWork barrier(ClientOptions call) {
        return start(() -> on(call).barrier());
    }

    /** Gives the root's {@code tensor} to all: read on the root, written on all others. */
    public ClientWork broadcast(TensorView tensor, int root, ClientOptions call) {
        return start(() -> on(call).broadcast(alone(tensor), root));
    }

    /** Gives the root's {@code tensors} to all. */
    public ClientWork broadcast(List<TensorView> tensors, int root, ClientOptions call) {
        return start(() -> on(call).broadcast(listed(tensors), root));
    }

    /** Gives each rank its block of the root's {@code input} of p blocks; {@code output} is one block. */
    public ClientWork scatter(TensorView input, TensorView output, int root, ClientOptions call) {
        return start(() -> on(call).scatter(alone(input), alone(output), null, root));
    }

    /**
     * As {@link #scatter}, of blocks of any lengths.
     *
     * @param lengths of all blocks at the root; null elsewhere
     */
    public ClientWork scatterV(TensorView input, TensorView output, long[] lengths, int root, ClientOptions call) {
        return start(() -> on(call).scatter(alone(input), alone(output), known(lengths, root), root));
    }

    /**
     * As {@link #scatterV}, for receivers that do not know the lengths of their blocks.
     *
     * @param output room for this rank's block, which fills it from its begin
     */
    public ClientWork scatterVOpen(TensorView input, TensorView output, long[] lengths, int root, ClientOptions call) {
        return start(() -> on(call).scatterOpen(alone(input), alone(output), known(lengths, root), root));
    }

    /** Brings the blocks of all ranks to the root's {@code output} of p blocks; {@code input} is one block. */
    public ClientWork gather(TensorView input, TensorView output, int root, ClientOptions call) {
        return start(() -> on(call).gather(alone(input), alone(output), null, root));
    }

    /**
     * As {@link #gather}, of blocks of any lengths.
     *
     * @param lengths of all blocks at the root; null elsewhere
     */
    public ClientWork gatherV(TensorView input, TensorView output, long[] lengths, int root, ClientOptions call) {
        return start(() -> on(call).gather(alone(input), alone(output), known(lengths, root), root));
    }

    /**
     * As {@link #gatherV}, for a root that does not know the lengths of the blocks.
     *
     * @param output room for all blocks at the root, which fill it from its begin; null elsewhere
     */
    public ClientWork gatherVOpen(TensorView input, TensorView output, int root, ClientOptions call) {
        return start(() -> on(call).gatherOpen(alone(input), alone(output), root));
    }

    /** Brings the blocks of all ranks to all: {@code input} is one block, {@code output} has p. */
    public ClientWork allGather(TensorView input, TensorView output, ClientOptions call) {
        return start(() -> on(call).allGather(alone(input), alone(output), null));
    }

    /** As {@link #allGather} of each pair of the two lists, in one call. */
    public ClientWork allGather(List<TensorView> inputs, List<TensorView> outputs, ClientOptions call) {
        return start(() -> {
            CollectiveOperations operations = on(call);
            return operations.allGather(listed(inputs), operations.byRank(inputs, listed(outputs)), null);
        });
    }

    /** As {@link #allGather}, of blocks of any lengths, which all ranks give alike. */
    public ClientWork allGatherV(TensorView input, TensorView output, long[] lengths, ClientOptions call) {
        return start(() -> on(call).allGather(alone(input), alone(output), copy(lengths)));
    }

    /**
     * As {@link #allGatherV}, for ranks that know the length of their own block only.
     *
     * @param output room for all blocks, which fill it from its begin
     */
    public ClientWork allGatherVOpen(TensorView input, TensorView output, ClientOptions call) {
        return start(() -> on(call).allGatherOpen(alone(input), alone(output)));
    }

    /** Combines the inputs of all ranks at the root, which alone has an {@code output}. */
    public ClientWork reduce(TensorView input, TensorView output, ReduceOp op, int root, ClientOptions call) {
        return start(() -> on(call).reduce(alone(input), alone(output), combining(op, null), root));
    }

    /** As {@link #reduce}, with the factor of a reduction that takes one. */
    public ClientWork reduce(
            TensorView input, TensorView output, ReduceOp op, double factor, int root, ClientOptions call) {
        return start(() -> on(call).reduce(alone(input), alone(output), combining(op, factor), root));
    }

    /** Combines the inputs of all ranks, element by element, into every output. All get the same bits. */
    public ClientWork allReduce(TensorView input, TensorView output, ReduceOp op, ClientOptions call) {
        return start(() -> on(call).allReduce(alone(input), alone(output), combining(op, null)));
    }

    /** As {@link #allReduce}, with the factor of a reduction that takes one. */
    public ClientWork allReduce(TensorView input, TensorView output, ReduceOp op, double factor, ClientOptions call) {
        return start(() -> on(call).allReduce(alone(input), alone(output), combining(op, factor)));
    }

    /** As {@link #allReduce} of each pair of the two lists, in one call. */
    public ClientWork allReduce(List<TensorView> inputs, List<TensorView> outputs, ReduceOp op, ClientOptions call) {
        return start(() -> on(call).allReduce(listed(inputs), listed(outputs), combining(op, null)));
    }

    /** The same with the factor of a reduction that takes one. */
    public ClientWork allReduce(
            List<TensorView> inputs, List<TensorView> outputs, ReduceOp op, double factor, ClientOptions call) {
        return start(() -> on(call).allReduce(listed(inputs), listed(outputs), combining(op, factor)));
    }

    /** Combines the inputs of all ranks, of p blocks each, and gives each rank its block of the result. */
    public ClientWork reduceScatter(TensorView input, TensorView output, ReduceOp op, ClientOptions call) {
        return start(() -> on(call).reduceScatter(alone(input), alone(output), null, combining(op, null)));
    }

    /** As {@link #reduceScatter}, with the factor of a reduction that takes one. */
    public ClientWork reduceScatter(
            TensorView input, TensorView output, ReduceOp op, double factor, ClientOptions call) {
        return start(() -> on(call).reduceScatter(alone(input), alone(output), null, combining(op, factor)));
    }

    /** As {@link #reduceScatter} of each pair of the two lists, in one call. */
    public ClientWork reduceScatter(
            List<TensorView> inputs, List<TensorView> outputs, ReduceOp op, ClientOptions call) {
        return start(() -> reduceScatter(inputs, outputs, combining(op, null), on(call)));
    }

    /** The same with the factor of a reduction that takes one. */
    public ClientWork reduceScatter(
            List<TensorView> inputs, List<TensorView> outputs, ReduceOp op, double factor, ClientOptions call) {
        return start(() -> reduceScatter(inputs, outputs, combining(op, factor), on(call)));
    }

    private static ClientOperation reduceScatter(
            List<TensorView> inputs, List<TensorView> outputs, Combining by, CollectiveOperations operations) {
        return operations.reduceScatter(operations.byRank(listed(outputs), listed(inputs)), outputs, null, by);
    }

    /** As {@link #reduceScatter}, of blocks of any lengths, which all ranks give alike. */
    public ClientWork reduceScatterV(
            TensorView input, TensorView output, long[] lengths, ReduceOp op, ClientOptions call) {
        return start(() -> on(call).reduceScatter(alone(input), alone(output), copy(lengths), combining(op, null)));
    }

    /** The same with the factor of a reduction that takes one. */
    public ClientWork reduceScatterV(
            TensorView input, TensorView output, long[] lengths, ReduceOp op, double factor, ClientOptions call) {
        return start(() -> on(call).reduceScatter(alone(input), alone(output), copy(lengths), combining(op, factor)));
    }

    /** Gives each rank its block of this one's {@code input}, and takes this rank's block of each other's. */
    public ClientWork allToAll(TensorView input, TensorView output, ClientOptions call) {
        return start(() -> on(call).allToAll(alone(input), alone(output)));
    }

    /**
     * As {@link #allToAll}, of blocks of any lengths.
     *
     * @param sendLengths of the blocks in {@code input}, one for each rank
     * @param recvLengths of the blocks in {@code output}, one from each rank
     */
    public ClientWork allToAllV(
            TensorView input, TensorView output, long[] sendLengths, long[] recvLengths, ClientOptions call) {
        return start(() -> on(call).allToAll(alone(input), alone(output), copy(sendLengths), copy(recvLengths)));
    }

    /**
     * As {@link #allToAllV}, for ranks that do not know what comes.
     *
     * @param output room for all that comes, which fills it from its begin
     */
    public ClientWork allToAllVOpen(TensorView input, TensorView output, long[] sendLengths, ClientOptions call) {
        return start(() -> on(call).allToAllOpen(alone(input), alone(output), copy(sendLengths)));
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
}

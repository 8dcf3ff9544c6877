package io.parex.world;

import io.parex.ParexException;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.util.List;

/**
 * The collectives of a group: every member calls the same method, in the same order, with arguments that fit together.
 *
 * <p><em>Start and end.</em> A call starts at once and returns a {@link Work}; many may be in flight. Until the handle
 * is done the tensors belong to the call: inputs must not be written, outputs not touched. Any thread; a member that
 * calls from several threads gives each call a name ({@link CallOptions#name}).
 *
 * <p><em>Tensors.</em> Elements are of one type on all members. A tensor of p equal blocks, one for each member, has
 * them one after the other in the order of ranks, without gaps. Forms whose name ends in V take blocks of any lengths,
 * given by rank in elements; any may be 0. A tensor that only the root has is null elsewhere.
 *
 * <p><em>In place</em> is a call whose output and input share memory in this way: the same tensor (reduce at the root,
 * all_reduce, all_to_all, there with the same lengths both ways); or the input is this rank's block of the output
 * (all_gather, gather at the root); or the output is this rank's block of the input (reduce_scatter, scatter at the
 * root). Some members may do so and others not. Any other overlap is refused.
 *
 * <p><em>Lists</em> of tensors are one call, with one schedule over all of them as if they lay one after the other: as
 * quick as one tensor of their size, where many calls would each pay for their messages. All members give lists of the
 * same lengths.
 *
 * <p><em>Lengths known or open.</em> The V-forms take the lengths that a rank knows. Where receivers do not know what
 * comes, every member calls the form whose name ends in VOpen: lengths are exchanged first, as part of the same call,
 * outputs are room for as much as may come, and {@link Completion#lengths} says what came.
 *
 * <p><em>Errors.</em> Arguments that cannot be meant are thrown at once, as {@link ParexException} of kind
 * {@code argument} ({@code unsupported} for a reduction that is not computed), and nothing is started; the others wait
 * for this rank then. Members that call something else, or with other counts, types, operations, factors, roots or
 * lengths, fail with kind {@code mismatch}, and both calls are named. What else ends a call says the kind of its
 * failure; the group can be used for the next call after any of them. A member whose part of a call was done when the
 * call failed elsewhere has returned: its next call is refused once with that failure, and is made again.
 */
public interface Collectives {

    /** This rank in the group. */
    int rank();

    /** Number of members. */
    int size();

    /** Starts an operation in its general form. */
    Work submit(Call call);

    /** Done when every member has called. */
    default Work barrier(CallOptions options) {
        return submit(Call.barrier(options));
    }

    /** Gives the root's tensor to all. */
    default Work broadcast(TensorView tensor, int root, CallOptions options) {
        boolean isRoot = root == rank();
        TensorStream stream = isRoot ? TensorStream.input(tensor) : TensorStream.output(tensor);
        return submit(Call.broadcast(stream, root, isRoot, options));
    }

    /** Gives the root's tensors to all. */
    default Work broadcast(List<TensorView> tensors, int root, CallOptions options) {
        boolean isRoot = root == rank();
        TensorStream stream = isRoot ? TensorStream.input(tensors) : TensorStream.output(tensors);
        return submit(Call.broadcast(stream, root, isRoot, options));
    }

    /**
     * Gives each rank its block of the root's input.
     *
     * @param input p blocks at the root, null elsewhere
     * @param output one block
     */
    default Work scatter(TensorView input, TensorView output, int root, CallOptions options) {
        return submit(Call.scatter(in(input), out(output), root, options));
    }

    /**
     * As {@link #scatter}, of blocks of any lengths.
     *
     * @param input all blocks at the root, null elsewhere
     * @param output this rank's block, of exactly its length
     * @param lengths of all blocks at the root; elsewhere null, or with this rank's own in its place
     */
    default Work scatterV(TensorView input, TensorView output, long[] lengths, int root, CallOptions options) {
        Call call = Call.scatter(in(input), out(output), root, options);
        return submit(call.withBlocks(lengths == null ? null : Call.blocks(lengths)));
    }

    /**
     * As {@link #scatterV}, for receivers that do not know the lengths of their blocks.
     *
     * @param output room for this rank's block, which fills it from its begin
     * @param lengths of all blocks at the root, null elsewhere
     */
    default Work scatterVOpen(TensorView input, TensorView output, long[] lengths, int root, CallOptions options) {
        Call call = Call.scatter(in(input), out(output), root, options);
        return submit(call.withOpenLengths(lengths == null ? null : Call.blocks(lengths)));
    }

    /**
     * Brings the blocks of all ranks to the root.
     *
     * @param input one block
     * @param output p blocks at the root, null elsewhere
     */
    default Work gather(TensorView input, TensorView output, int root, CallOptions options) {
        return submit(Call.gather(in(input), out(output), root, options));
    }

    /**
     * As {@link #gather}, of blocks of any lengths.
     *
     * @param input this rank's block
     * @param output exactly all blocks at the root, null elsewhere
     * @param lengths of all blocks at the root; elsewhere null, or with this rank's own in its place
     */
    default Work gatherV(TensorView input, TensorView output, long[] lengths, int root, CallOptions options) {
        Call call = Call.gather(in(input), out(output), root, options);
        return submit(call.withBlocks(lengths == null ? null : Call.blocks(lengths)));
    }

    /**
     * As {@link #gatherV}, for a root that does not know the lengths of the blocks.
     *
     * @param output room for all blocks at the root, which fill it from its begin; null elsewhere
     */
    default Work gatherVOpen(TensorView input, TensorView output, int root, CallOptions options) {
        return submit(Call.gather(in(input), out(output), root, options).withOpenLengths(null));
    }

    /**
     * Brings the blocks of all ranks to all.
     *
     * @param input one block
     * @param output p blocks
     */
    default Work allGather(TensorView input, TensorView output, CallOptions options) {
        return submit(Call.allGather(in(input), out(output), options));
    }

    /**
     * As {@link #allGather(TensorView, TensorView, CallOptions)}, of several tensors.
     *
     * @param inputs one block of each tensor
     * @param outputs p blocks of each tensor
     */
    default Work allGather(List<TensorView> inputs, List<TensorView> outputs, CallOptions options) {
        TensorStream output = TensorStream.output(JoinedMemory.byRank(outputs, inputs, size()));
        return submit(Call.allGather(TensorStream.input(inputs), output, options));
    }

    /**
     * As {@link #allGather(TensorView, TensorView, CallOptions)}, of blocks of any lengths.
     *
     * @param lengths of all blocks, the same on all ranks
     */
    default Work allGatherV(TensorView input, TensorView output, long[] lengths, CallOptions options) {
        return submit(Call.allGather(in(input), out(output), options).withBlocks(Call.blocks(lengths)));
    }

    /**
     * As {@link #allGatherV}, for ranks that know the length of their own block only.
     *
     * @param output room for all blocks, which fill it from its begin
     */
    default Work allGatherVOpen(TensorView input, TensorView output, CallOptions options) {
        return submit(Call.allGather(in(input), out(output), options).withOpenLengths(null));
    }

    /**
     * Combines the inputs of all ranks, element by element, at the root.
     *
     * @param output as long as the input at the root, null elsewhere
     */
    default Work reduce(TensorView input, TensorView output, ReduceOp op, int root, CallOptions options) {
        return submit(Call.reduce(in(input), out(output), op, null, root, options));
    }

    /** As above, each value multiplied by {@code factor} first, for {@link ReduceOp#PREMUL_SUM}. */
    default Work reduce(
            TensorView input, TensorView output, ReduceOp op, double factor, int root, CallOptions options) {
        return submit(Call.reduce(in(input), out(output), op, factor, root, options));
    }

    /** Combines the inputs of all ranks, element by element, into every output. All ranks get the same bits. */
    default Work allReduce(TensorView input, TensorView output, ReduceOp op, CallOptions options) {
        return submit(Call.allReduce(in(input), out(output), op, options));
    }

    /** As above, each value multiplied by {@code factor} first, for {@link ReduceOp#PREMUL_SUM}. */
    default Work allReduce(TensorView input, TensorView output, ReduceOp op, double factor, CallOptions options) {
        return submit(Call.allReduce(in(input), out(output), op, factor, options));
    }

    /** As {@link #allReduce(TensorView, TensorView, ReduceOp, CallOptions)}, of several tensors. */
    default Work allReduce(List<TensorView> inputs, List<TensorView> outputs, ReduceOp op, CallOptions options) {
        return submit(Call.allReduce(TensorStream.input(inputs), TensorStream.output(outputs), op, options));
    }

    /** As above, each value multiplied by {@code factor} first, for {@link ReduceOp#PREMUL_SUM}. */
    default Work allReduce(
            List<TensorView> inputs, List<TensorView> outputs, ReduceOp op, double factor, CallOptions options) {
        return submit(Call.allReduce(TensorStream.input(inputs), TensorStream.output(outputs), op, factor, options));
    }

    /**
     * Combines the inputs of all ranks, element by element, and gives each rank its block of the result.
     *
     * @param input p blocks
     * @param output one block
     */
    default Work reduceScatter(TensorView input, TensorView output, ReduceOp op, CallOptions options) {
        return submit(Call.reduceScatter(in(input), out(output), op, null, options));
    }

    /** As above, each value multiplied by {@code factor} first, for {@link ReduceOp#PREMUL_SUM}. */
    default Work reduceScatter(TensorView input, TensorView output, ReduceOp op, double factor, CallOptions options) {
        return submit(Call.reduceScatter(in(input), out(output), op, factor, options));
    }

    /**
     * As {@link #reduceScatter(TensorView, TensorView, ReduceOp, CallOptions)}, of several tensors.
     *
     * @param inputs p blocks of each tensor
     * @param outputs one block of each tensor
     */
    default Work reduceScatter(List<TensorView> inputs, List<TensorView> outputs, ReduceOp op, CallOptions options) {
        TensorStream input = TensorStream.input(JoinedMemory.byRank(inputs, outputs, size()));
        return submit(Call.reduceScatter(input, TensorStream.output(outputs), op, null, options));
    }

    /** As above, each value multiplied by {@code factor} first, for {@link ReduceOp#PREMUL_SUM}. */
    default Work reduceScatter(
            List<TensorView> inputs, List<TensorView> outputs, ReduceOp op, double factor, CallOptions options) {
        TensorStream input = TensorStream.input(JoinedMemory.byRank(inputs, outputs, size()));
        return submit(Call.reduceScatter(input, TensorStream.output(outputs), op, factor, options));
    }

    /**
     * As {@link #reduceScatter(TensorView, TensorView, ReduceOp, CallOptions)}, with blocks of any lengths.
     *
     * @param lengths of all blocks, the same on all ranks
     */
    default Work reduceScatterV(TensorView input, TensorView output, long[] lengths, ReduceOp op, CallOptions options) {
        Call call = Call.reduceScatter(in(input), out(output), op, null, options);
        return submit(call.withBlocks(Call.blocks(lengths)));
    }

    /** As above, each value multiplied by {@code factor} first, for {@link ReduceOp#PREMUL_SUM}. */
    default Work reduceScatterV(
            TensorView input, TensorView output, long[] lengths, ReduceOp op, double factor, CallOptions options) {
        Call call = Call.reduceScatter(in(input), out(output), op, factor, options);
        return submit(call.withBlocks(Call.blocks(lengths)));
    }

    /**
     * Gives each rank its block of this one's input, and takes this rank's block of each other's.
     *
     * @param input p blocks, block r for rank r
     * @param output p blocks, block r from rank r
     */
    default Work allToAll(TensorView input, TensorView output, CallOptions options) {
        return submit(Call.allToAll(in(input), out(output), options));
    }

    /**
     * As {@link #allToAll}, of blocks of any lengths.
     *
     * @param sendLengths elements for each rank
     * @param receiveLengths elements from each rank, the same as that one has for this
     */
    default Work allToAllV(
            TensorView input, TensorView output, long[] sendLengths, long[] receiveLengths, CallOptions options) {
        Call call = Call.allToAll(in(input), out(output), options);
        return submit(call.withBlocks(Call.blocks(sendLengths), Call.blocks(receiveLengths)));
    }

    /**
     * As {@link #allToAllV}, for ranks that do not know what comes.
     *
     * @param output room for all that comes, which fills it from its begin
     */
    default Work allToAllVOpen(TensorView input, TensorView output, long[] sendLengths, CallOptions options) {
        return submit(Call.allToAll(in(input), out(output), options).withOpenLengths(Call.blocks(sendLengths)));
    }

    private static TensorStream in(TensorView tensor) {
        return tensor == null ? null : TensorStream.input(tensor);
    }

    private static TensorStream out(TensorView tensor) {
        return tensor == null ? null : TensorStream.output(tensor);
    }
}

package io.parex.bench;

import io.parex.ParexException;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.world.CallOptions;
import io.parex.world.ProcessGroup;
import io.parex.world.Work;

/**
 * A collective call with one tensor, all lengths known, as each rank makes it.
 *
 * @param exchange what is called
 * @param op reduction, null without one
 * @param factor of a premultiplied sum
 */
public record Collective(Exchange exchange, ReduceOp op, double factor) {

    /**
     * Makes the call on one rank; returns at once.
     *
     * @param in null if the rank gives nothing
     * @param out null if the rank gets nothing
     */
    public Work start(ProcessGroup group, TensorView in, TensorView out, CallOptions options) {
        return exchange.asked().reducing() ? reduction(group, in, out, options) : move(group, in, out, options);
    }

    private Work reduction(ProcessGroup group, TensorView in, TensorView out, CallOptions options) {
        boolean scaled = op == ReduceOp.PREMUL_SUM;
        int root = exchange.root();
        return switch (exchange.asked()) {
            case REDUCE ->
                scaled ? group.reduce(in, out, op, factor, root, options) : group.reduce(in, out, op, root, options);
            case ALL_REDUCE ->
                scaled ? group.allReduce(in, out, op, factor, options) : group.allReduce(in, out, op, options);
            case REDUCE_SCATTER ->
                scaled ? group.reduceScatter(in, out, op, factor, options) : group.reduceScatter(in, out, op, options);
            case REDUCE_SCATTER_V ->
                scaled
                        ? group.reduceScatterV(in, out, exchange.blocks(), op, factor, options)
                        : group.reduceScatterV(in, out, exchange.blocks(), op, options);
            default -> throw unknown();
        };
    }

    private Work move(ProcessGroup group, TensorView in, TensorView out, CallOptions options) {
        int root = exchange.root();
        int rank = group.rank();
        return switch (exchange.asked()) {
            case BARRIER -> group.barrier(options);
            case BROADCAST -> group.broadcast(in == null ? out : in, root, options);
            case SCATTER -> group.scatter(in, out, root, options);
            case GATHER -> group.gather(in, out, root, options);
            case ALL_GATHER -> group.allGather(in, out, options);
            case ALL_TO_ALL -> group.allToAll(in, out, options);
            case SCATTER_V -> group.scatterV(in, out, exchange.known(rank), root, options);
            case GATHER_V -> group.gatherV(in, out, exchange.known(rank), root, options);
            case ALL_GATHER_V -> group.allGatherV(in, out, exchange.blocks(), options);
            case ALL_TO_ALL_V -> group.allToAllV(in, out, exchange.given(rank), exchange.taken(rank), options);
            default -> throw unknown();
        };
    }

    private ParexException unknown() {
        return ParexException.argument(exchange.asked().label() + " is no collective with a tensor");
    }
}

package io.parex.algorithm;

import io.parex.schedule.BinomialTree;
import io.parex.schedule.Blocks;
import io.parex.schedule.Buffer;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Ring;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;

/**
 * The tensor is cut into one chunk per rank; chunks are scattered down a binomial tree and then travel around the ring,
 * past ranks that have them already.
 *
 * <p>Source: M. Barnett, S. Gupta, D. Payne, L. Shuler, R. van de Geijn, J. Watts, "Interprocessor collective
 * communication library (InterCom)", SHPCC 1994; the messages left out as in J. Zhou et al., "Bandwidth-saving
 * broadcast in MPI", 2015.
 *
 * <p>On 5 ranks, root 0 (other roots: ranks count from the root); the chunks that each rank has after the scatter, then
 * what it sends to its right neighbour:
 *
 * <pre>
 * step      rank 0   rank 1   rank 2   rank 3   rank 4
 * scatter   01234    1        23       3        4
 *   1         0        1        2        3
 *   2         4        0        1        2
 *   3         3        4        0        1
 *   4         2                 4        0
 * </pre>
 *
 * <p>Steps: L + p-1. Sent per rank: to each child the chunks of the child's subtree; then each chunk that the right
 * neighbour has not got, nothing to the root. Cost: (L + p-1)α + 2(p-1)/p·nβ.
 *
 * <p>Restrictions: none. The root sends from input and has no output, the others receive into output and pass on from
 * there. Any count; empty chunks still travel.
 *
 * <p>Scratch: none.
 */
public final class ScatterAllGatherBroadcast implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.BROADCAST;
    }

    @Override
    public String name() {
        return "scatter_all_gather";
    }

    @Override
    public Effort effort(Shape shape) {
        return new Effort.Builder()
                .subtrees(shape)
                .exchange(shape.ranks() - 1, shape.share(), shape.ranks())
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Blocks chunks = Blocks.spread(problem.count(), problem.size());
        scatter(builder, problem, chunks);
        allGather(builder, problem, chunks);
        return builder.build();
    }

    private static void scatter(ScheduleBuilder builder, Problem problem, Blocks chunks) {
        BinomialTree tree = new BinomialTree(problem.size(), problem.root());
        Ring ring = new Ring(problem.size());
        int rank = problem.rank();
        if (!problem.isRoot()) {
            int virtual = ring.right(rank, -problem.root());
            builder.recv(tree.parent(rank), chunks.slice(Buffer.OUTPUT, virtual, virtual + tree.subtree(rank)));
        }
        for (int child : tree.children(rank)) {
            int virtual = ring.right(child, -problem.root());
            builder.send(child, chunks.slice(source(problem), virtual, virtual + tree.subtree(child)));
        }
    }

    private static void allGather(ScheduleBuilder builder, Problem problem, Blocks chunks) {
        BinomialTree tree = new BinomialTree(problem.size(), problem.root());
        Ring ring = new Ring(problem.size());
        int virtual = ring.right(problem.rank(), -problem.root());
        int right = ring.right(problem.rank());
        for (int step = 1; step < problem.size(); step++) {
            int outgoing = ring.right(virtual, 1 - step);
            int incoming = ring.right(virtual, -step);
            if (ring.right(outgoing, -virtual - 1) >= tree.subtree(right)) {
                builder.send(right, chunks.slice(source(problem), outgoing));
            }
            if (ring.right(incoming, -virtual) >= tree.subtree(problem.rank())) {
                builder.recv(ring.left(problem.rank()), chunks.slice(Buffer.OUTPUT, incoming));
            }
        }
    }

    private static Buffer source(Problem problem) {
        return problem.isRoot() ? Buffer.INPUT : Buffer.OUTPUT;
    }
}

package io.parex.algorithm;

import io.parex.schedule.BinomialTree;
import io.parex.schedule.Buffer;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Ring;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * Up a binomial tree: each rank sends the blocks of all ranks below it, and its own, at once.
 *
 * <p>Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH",
 * IJHPCA 19(1), 2005. See {@link BinomialTree}.
 *
 * <p>On 5 ranks, root 0 (other roots: ranks count from the root); what each rank sends:
 *
 * <pre>
 * round   rank 0   rank 1   rank 2   rank 3   rank 4
 *   0              1 to 0            3 to 2   4 to 0
 *   1                       23 to 0
 * </pre>
 *
 * <p>Steps: L rounded up. Sent per rank: one message with the blocks of its subtree, none by the root; a message to the
 * root whose blocks lie around the end of the tensor is sent as two. Cost: Lα + (p-1)/p·nβ at the root.
 *
 * <p>Restrictions: no v-form, as lengths of others are known to the root only.
 *
 * <p>Scratch: the blocks of the subtree, in ranks that are neither root nor leaf.
 */
public final class BinomialGather implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.GATHER;
    }

    @Override
    public String name() {
        return "binomial";
    }

    @Override
    public boolean handles(Primitive asked, int size) {
        return !asked.isV();
    }

    @Override
    public Effort effort(Shape shape) {
        return new Effort.Builder().subtrees(shape).scratch(shape.bytes() / 2).build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        if (problem.isRoot()) {
            gather(builder, problem);
        } else {
            passOn(builder, problem);
        }
        return builder.build();
    }

    private static void gather(ScheduleBuilder builder, Problem problem) {
        BinomialTree tree = new BinomialTree(problem.size(), problem.root());
        Slice own = new Slice(Buffer.INPUT, 0, problem.inputLength());
        builder.copy(own, problem.blocks().slice(Buffer.OUTPUT, problem.rank()));
        for (int child : tree.children(problem.rank()).reversed()) {
            for (Ring.Range ranks : new Ring(problem.size()).ranges(child, tree.subtree(child))) {
                builder.recv(child, problem.blocks().slice(Buffer.OUTPUT, ranks.from(), ranks.to()));
            }
        }
    }

    private static void passOn(ScheduleBuilder builder, Problem problem) {
        BinomialTree tree = new BinomialTree(problem.size(), problem.root());
        Ring ring = new Ring(problem.size());
        int rank = problem.rank();
        long length = problem.inputLength();
        Slice own = new Slice(Buffer.INPUT, 0, length);
        Slice all = own;
        if (tree.subtree(rank) > 1) {
            all = new Slice(builder.scratch(length * tree.subtree(rank)), 0, length * tree.subtree(rank));
            builder.copy(own, new Slice(all.buffer(), 0, length));
        }
        for (int child : tree.children(rank).reversed()) {
            int blocks = tree.subtree(child);
            builder.recv(child, new Slice(all.buffer(), length * ring.right(child, -rank), length * blocks));
        }
        int parent = tree.parent(rank);
        long sent = 0;
        for (Ring.Range ranks : ring.ranges(rank, tree.subtree(rank))) {
            long part = length * (ranks.to() - ranks.from());
            if (parent == problem.root()) {
                builder.send(parent, new Slice(all.buffer(), sent, part));
            }
            sent += part;
        }
        if (parent != problem.root()) {
            builder.send(parent, all);
        }
    }
}

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
 * Down a binomial tree: each rank gets the blocks of all ranks below it with its own, and hands them on.
 *
 * <p>Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH",
 * IJHPCA 19(1), 2005. See {@link BinomialTree}.
 *
 * <p>On 5 ranks, root 0 (other roots: ranks count from the root); what each rank sends:
 *
 * <pre>
 * round   rank 0    rank 1   rank 2   rank 3   rank 4
 *   0     4 to 4
 *   1     23 to 2
 *   2     1 to 1             3 to 3
 * </pre>
 *
 * <p>Steps: L rounded up. Sent per rank: a message to each child with the blocks of the child's subtree; a message of
 * the root whose blocks lie around the end of the tensor is sent as two. Cost: Lα + (p-1)/p·nβ at the root.
 *
 * <p>Restrictions: no v-form, as lengths of others are known to the root only.
 *
 * <p>Scratch: the blocks of the subtree, in ranks that are neither root nor leaf.
 */
public final class BinomialScatter implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.SCATTER;
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
            scatter(builder, problem);
        } else {
            passOn(builder, problem);
        }
        return builder.build();
    }

    private static void scatter(ScheduleBuilder builder, Problem problem) {
        BinomialTree tree = new BinomialTree(problem.size(), problem.root());
        for (int child : tree.children(problem.rank())) {
            for (Ring.Range ranks : new Ring(problem.size()).ranges(child, tree.subtree(child))) {
                builder.send(child, problem.blocks().slice(Buffer.INPUT, ranks.from(), ranks.to()));
            }
        }
        Slice own = new Slice(Buffer.OUTPUT, 0, problem.outputLength());
        builder.copy(problem.blocks().slice(Buffer.INPUT, problem.rank()), own);
    }

    private static void passOn(ScheduleBuilder builder, Problem problem) {
        BinomialTree tree = new BinomialTree(problem.size(), problem.root());
        Ring ring = new Ring(problem.size());
        int rank = problem.rank();
        long length = problem.outputLength();
        Slice own = new Slice(Buffer.OUTPUT, 0, length);
        boolean leaf = tree.subtree(rank) == 1;
        Buffer all = leaf ? Buffer.OUTPUT : builder.scratch(length * tree.subtree(rank));
        int parent = tree.parent(rank);
        if (parent == problem.root()) {
            long received = 0;
            for (Ring.Range ranks : ring.ranges(rank, tree.subtree(rank))) {
                long part = length * (ranks.to() - ranks.from());
                builder.recv(parent, new Slice(all, received, part));
                received += part;
            }
        } else {
            builder.recv(parent, new Slice(all, 0, length * tree.subtree(rank)));
        }
        for (int child : tree.children(rank)) {
            int blocks = tree.subtree(child);
            builder.send(child, new Slice(all, length * ring.right(child, -rank), length * blocks));
        }
        if (!leaf) {
            builder.copy(new Slice(all, 0, length), own);
        }
    }
}

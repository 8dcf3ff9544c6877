package io.parex.algorithm;

import io.parex.schedule.BinaryTree;
import io.parex.schedule.Buffer;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * Sums climb a binary tree and the result comes down again, segment by segment at the same time.
 *
 * <p>Source: the pipelined binary tree of P. Sanders, J. Speck, J. L. Träff, "Two-tree algorithms for full bandwidth
 * broadcast, reduction and scan", Parallel Computing 35(12), 2009. See {@link BinaryTree}. The pipelining is the
 * engine's.
 *
 * <p>On 5 ranks: 1 and 3 send to 2, which sends 123 to 4, which sends 1234 to 0; the result goes the same way back.
 *
 * <p>Steps: up to 4L rounded up, as a rank hears from one child after the other. Sent per rank: the whole tensor once
 * to its parent and once to each child. Cost: about 2L(α + cβ) + 3nβ for segments of c bytes, at a rank with two
 * children.
 *
 * <p>Restrictions: none; each partial result covers consecutive ranks, so the operation need not commute.
 *
 * <p>Scratch: the whole tensor in ranks that have children, but for the root.
 */
public final class TreeAllReduce implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.ALL_REDUCE;
    }

    @Override
    public String name() {
        return "tree";
    }

    @Override
    public Effort effort(Shape shape) {
        double others = shape.ranks() - 1;
        int hops = shape.doublings() - 1;
        double children = Math.clamp(others / 2, 1, 2);
        return new Effort.Builder()
                .fill(hops, shape.partial(), shape.partial())
                .add(1, children, children * shape.partial(), children * shape.partial(), others / children)
                .fill(hops, shape.bytes(), 0)
                .add(1, 1, shape.bytes(), 0, others)
                .scratch(shape.partial())
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Slice input = new Slice(Buffer.INPUT, 0, problem.count());
        Slice output = new Slice(Buffer.OUTPUT, 0, problem.count());
        if (problem.size() == 1) {
            return builder.copy(input, output).build();
        }
        BinaryTree tree = new BinaryTree(problem.size());
        int parent = tree.parent(problem.rank());
        TreeSums sums = new TreeSums(builder, child -> !tree.children(child).isEmpty());
        sums.up(tree.children(problem.rank()), parent, input, output);
        if (parent >= 0) {
            builder.recv(parent, output);
        }
        tree.children(problem.rank()).forEach(child -> builder.send(child, output));
        return builder.build();
    }
}

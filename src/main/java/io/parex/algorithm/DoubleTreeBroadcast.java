package io.parex.algorithm;

import io.parex.schedule.Blocks;
import io.parex.schedule.Buffer;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;
import io.parex.schedule.TwoTrees;

/**
 * Half the tensor goes down one binary tree, half down another, in which other ranks are leaves, segment by segment.
 *
 * <p>Source: P. Sanders, J. Speck, J. L. Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan",
 * Parallel Computing 35(12), 2009. See {@link TwoTrees}. The pipelining is the engine's.
 *
 * <p>On 5 ranks, root 0 (other roots: ranks count from the root), what the halves go through:
 *
 * <pre>
 * half   root   below   below   leaves
 *   0     0       4       2     1 and 3
 *   1     0       1       3     4 and 2
 * </pre>
 *
 * <p>Steps: up to 2L rounded up. Sent per rank: half the tensor to each child in either tree, by most ranks to two in
 * all. Cost: about 2L(α + cβ) + nβ for segments of c bytes.
 *
 * <p>Restrictions: none. The root sends from input and has no output, the others receive into output and pass on from
 * there.
 *
 * <p>Scratch: none.
 */
public final class DoubleTreeBroadcast implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.BROADCAST;
    }

    @Override
    public String name() {
        return "double_tree";
    }

    @Override
    public Effort effort(Shape shape) {
        return new Effort.Builder()
                .fill(shape.doublings() - 1, shape.bytes() / TwoTrees.COUNT, 0)
                .add(1, 2, shape.bytes(), 0, shape.ranks() - 1)
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Blocks halves = Blocks.spread(problem.count(), TwoTrees.COUNT);
        TwoTrees trees = new TwoTrees(problem.size(), problem.root());
        for (int tree = 0; tree < TwoTrees.COUNT; tree++) {
            Slice half = halves.slice(problem.isRoot() ? Buffer.INPUT : Buffer.OUTPUT, tree);
            if (!problem.isRoot()) {
                builder.recv(trees.parent(tree, problem.rank()), half);
            }
            trees.children(tree, problem.rank()).forEach(child -> builder.send(child, half));
        }
        return builder.build();
    }
}

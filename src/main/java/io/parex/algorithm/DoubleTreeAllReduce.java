package io.parex.algorithm;

import io.parex.schedule.Blocks;
import io.parex.schedule.Buffer;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;
import io.parex.schedule.TwoTrees;
import java.util.List;

/**
 * Half the tensor is summed up one binary tree, half up another, in which other ranks are leaves; the results come down
 * again, segment by segment at the same time.
 *
 * <p>Source: P. Sanders, J. Speck, J. L. Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan",
 * Parallel Computing 35(12), 2009; S. Jeaugey, NCCL 2.4. See {@link TwoTrees}. The pipelining is the engine's.
 *
 * <p>On 5 ranks, what the first half and the second half go through, and back:
 *
 * <pre>
 * half   leaves     above   above   root
 *   0    1 and 3      2       4      0
 *   1    4 and 2      3       1      0
 * </pre>
 *
 * <p>Steps: up to 4L rounded up. Sent per rank: half the tensor to its parent and half to each child in either tree,
 * but for the ends about twice the tensor in all. Cost: about 4L(α + cβ) + 2nβ + nγ for segments of c bytes.
 *
 * <p>Restrictions: commutative operations.
 *
 * <p>Scratch: half the tensor for each tree in which a rank other than the root has children.
 */
public final class DoubleTreeAllReduce implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.ALL_REDUCE;
    }

    @Override
    public String name() {
        return "double_tree";
    }

    @Override
    public Effort effort(Shape shape) {
        double others = shape.ranks() - 1;
        int hops = shape.doublings() - 1;
        return new Effort.Builder()
                .fill(hops, shape.partial() / TwoTrees.COUNT, shape.partial() / TwoTrees.COUNT)
                .add(1, 2, shape.partial(), shape.partial(), others)
                .fill(hops, shape.bytes() / TwoTrees.COUNT, 0)
                .add(1, 2, shape.bytes(), 0, others)
                .scratch(shape.partial())
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Blocks halves = Blocks.spread(problem.count(), TwoTrees.COUNT);
        if (problem.size() == 1) {
            Slice output = halves.slice(Buffer.OUTPUT, 0, TwoTrees.COUNT);
            return builder.copy(halves.slice(Buffer.INPUT, 0, TwoTrees.COUNT), output)
                    .build();
        }
        TwoTrees trees = new TwoTrees(problem.size(), 0);
        for (int tree = 0; tree < TwoTrees.COUNT; tree++) {
            int number = tree;
            List<Integer> children = trees.children(tree, problem.rank());
            int parent = trees.parent(tree, problem.rank());
            Slice output = halves.slice(Buffer.OUTPUT, tree);
            TreeSums sums = new TreeSums(
                    builder, child -> !trees.children(number, child).isEmpty());
            sums.up(children, parent, halves.slice(Buffer.INPUT, tree), output);
            if (parent >= 0) {
                builder.recv(parent, output);
            }
            children.forEach(child -> builder.send(child, output));
        }
        return builder.build();
    }
}

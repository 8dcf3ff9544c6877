package io.parex.algorithm;

import io.parex.schedule.BinomialTree;
import io.parex.schedule.Buffer;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * Up a binomial tree: each rank adds what comes from below, the nearest first, and sends the sum on.
 *
 * <p>Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH",
 * IJHPCA 19(1), 2005. See {@link BinomialTree}.
 *
 * <p>On 5 ranks, root 0 (other roots: ranks count from the root); {@code 23} is the sum over ranks 2 and 3:
 *
 * <pre>
 * round   rank 0   rank 1   rank 2    rank 3   rank 4
 *   0              1 to 0             3 to 2
 *   1                       23 to 0
 *   2                                          4 to 0
 * </pre>
 *
 * <p>Steps: L rounded up. Sent per rank: the whole tensor once, nothing by the root. Cost: L(α + nβ + nγ); as each rank
 * passes on what it has while the rest is on its way, a long tensor costs about Lnβ at the root's link alone.
 *
 * <p>Restrictions: commutative operations, unless rank 0 is the root.
 *
 * <p>Scratch: the whole tensor, in ranks that have children and are not a root with one.
 */
public final class BinomialReduce implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.REDUCE;
    }

    @Override
    public String name() {
        return "binomial";
    }

    @Override
    public Effort effort(Shape shape) {
        double children = shape.doublings();
        double depth = shape.coreRounds();
        double messages = (children - 1) / (depth - 1);
        double partial = messages * shape.partial();
        double leaves = shape.ranks() / 2;
        return new Effort.Builder()
                .combine(1, shape.bytes(), shape.partial(), leaves)
                .add(depth - 1, messages, partial, partial, (shape.ranks() - 1 - leaves) / (children - 1))
                .scratch(shape.partial())
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        BinomialTree tree = new BinomialTree(problem.size(), problem.root());
        Slice input = new Slice(Buffer.INPUT, 0, problem.count());
        Slice output = new Slice(Buffer.OUTPUT, 0, problem.count());
        if (problem.size() == 1) {
            return builder.copy(input, output).build();
        }
        TreeSums sums = new TreeSums(builder, child -> tree.subtree(child) > 1);
        sums.up(tree.children(problem.rank()).reversed(), tree.parent(problem.rank()), input, output);
        return builder.build();
    }
}

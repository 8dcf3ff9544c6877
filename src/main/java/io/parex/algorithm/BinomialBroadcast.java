package io.parex.algorithm;

import io.parex.schedule.BinomialTree;
import io.parex.schedule.Buffer;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * Every rank that has the tensor passes it on to a rank that has not, so that their number doubles each round.
 *
 * <p>Source: the folklore tree of MPI implementations, as in R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of
 * collective communication operations in MPICH", IJHPCA 19(1), 2005. See {@link BinomialTree}.
 *
 * <p>On 5 ranks, root 0 (other roots: ranks count from the root):
 *
 * <pre>
 * round   rank 0   rank 1   rank 2   rank 3   rank 4
 *   0     to 4
 *   1     to 2
 *   2     to 1              to 3
 * </pre>
 *
 * <p>Steps: L rounded up. Sent per rank: the whole tensor once per child, at the root L times. Cost: L(α + nβ); as each
 * rank passes on what it has while the rest is on its way, a long tensor costs about Lnβ at the root's link alone.
 *
 * <p>Restrictions: none. The root sends from input and has no output, the others receive into output and pass on from
 * there.
 *
 * <p>Scratch: none.
 */
public final class BinomialBroadcast implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.BROADCAST;
    }

    @Override
    public String name() {
        return "binomial";
    }

    @Override
    public Effort effort(Shape shape) {
        double children = shape.doublings();
        double depth = shape.coreRounds();
        double messages = children / depth;
        return new Effort.Builder()
                .add(depth, messages, messages * shape.bytes(), 0, (shape.ranks() - 1) / children)
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        int rank = problem.rank();
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        BinomialTree tree = new BinomialTree(problem.size(), problem.root());
        boolean root = rank == problem.root();
        Slice tensor = new Slice(root ? Buffer.INPUT : Buffer.OUTPUT, 0, problem.count());
        if (!root) {
            builder.recv(tree.parent(rank), tensor);
        }
        for (int child : tree.children(rank)) {
            builder.send(child, tensor);
        }
        return builder.build();
    }
}

package io.parex.algorithm;

import io.parex.schedule.Buffer;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Ring;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * The sum passes along the ring to the root from the root's left neighbour on, to the left; each rank adds its share to
 * the segments it has while it receives the next.
 *
 * <p>Source: the pipelined chain of MPI implementations, as in J. Pjesivac-Grbovic et al., "Performance analysis of MPI
 * collective operations", Cluster Computing 10(2), 2007. The pipelining is the engine's: a step is the whole tensor.
 *
 * <p>On 5 ranks, root 0 (other roots: ranks count from the root); the segment each rank sends in each round:
 *
 * <pre>
 * round   rank 0   rank 1   rank 2   rank 3   rank 4
 *   0                                           0
 *   1                                  0        1
 *   2                         0        1        2
 *   3                0        1        2        3
 *   4                1        2        3        4
 * </pre>
 *
 * <p>Steps: p-1. Sent per rank: one message, the whole tensor once, nothing by the root. Cost: (p-2 + n/c)(α + cβ) with
 * segments of c bytes, near nβ for long tensors, the sums beside it.
 *
 * <p>Restrictions: commutative operations, unless rank 0 is the root.
 *
 * <p>Scratch: the whole tensor in ranks between the first and the root, a pipe, of which a window is kept.
 */
public final class ChainReduce implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.REDUCE;
    }

    @Override
    public String name() {
        return "chain";
    }

    @Override
    public Effort effort(Shape shape) {
        return new Effort.Builder()
                .fill(shape.ranks() - 2, shape.partial(), shape.partial())
                .combine(1, shape.ranks() > 2 ? shape.partial() : shape.bytes(), shape.partial(), shape.ranks() - 1)
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Ring ring = new Ring(problem.size());
        int right = ring.right(problem.rank());
        int left = ring.left(problem.rank());
        Slice input = new Slice(Buffer.INPUT, 0, problem.count());
        Slice output = new Slice(Buffer.OUTPUT, 0, problem.count());
        boolean partial = ring.right(right) != problem.root();
        if (problem.size() == 1) {
            builder.copy(input, output);
        } else if (problem.isRoot()) {
            builder.recvReduce(right, input, output, partial);
        } else if (right == problem.root()) {
            builder.send(left, input);
        } else {
            Slice sum = new Slice(builder.scratch(problem.count()), 0, problem.count());
            builder.recvReduce(right, input, sum, partial);
            builder.send(left, sum);
        }
        return builder.build();
    }
}

package io.parex.algorithm;

import io.parex.schedule.Buffer;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Ring;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * The tensor passes from the root along the ring to its left neighbour; each rank passes on the segments it has while
 * it receives the next.
 *
 * <p>Source: the pipelined chain of MPI implementations, as in J. Pjesivac-Grbovic et al., "Performance analysis of MPI
 * collective operations", Cluster Computing 10(2), 2007. The pipelining is the engine's: a step is the whole tensor.
 *
 * <p>On 5 ranks, root 0 (other roots: ranks count from the root); the segment each rank sends in each round:
 *
 * <pre>
 * round   rank 0   rank 1   rank 2   rank 3   rank 4
 *   0       0
 *   1       1        0
 *   2       2        1        0
 *   3       3        2        1        0
 *   4       4        3        2        1
 * </pre>
 *
 * <p>Steps: p-1. Sent per rank: one message, the whole tensor once, nothing by the last rank. Cost: (p-2 + n/c)(α + cβ)
 * with segments of c bytes, near nβ for long tensors.
 *
 * <p>Restrictions: none. The root sends from input and has no output, the others receive into output and pass on from
 * there.
 *
 * <p>Scratch: none.
 */
public final class ChainBroadcast implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.BROADCAST;
    }

    @Override
    public String name() {
        return "chain";
    }

    @Override
    public Effort effort(Shape shape) {
        return new Effort.Builder()
                .fill(shape.ranks() - 2, shape.bytes(), 0)
                .exchange(1, shape.bytes(), shape.ranks() - 1)
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        int rank = problem.rank();
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Ring ring = new Ring(problem.size());
        boolean root = rank == problem.root();
        Slice tensor = new Slice(root ? Buffer.INPUT : Buffer.OUTPUT, 0, problem.count());
        if (!root) {
            builder.recv(ring.left(rank), tensor);
        }
        if (ring.right(rank) != problem.root()) {
            builder.send(ring.right(rank), tensor);
        }
        return builder.build();
    }
}

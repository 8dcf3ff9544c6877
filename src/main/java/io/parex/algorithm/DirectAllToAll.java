package io.parex.algorithm;

import io.parex.schedule.Buffer;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Ring;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * Every rank sends all its blocks at once, beginning with its right neighbour's, so that not all begin with the same
 * rank; the engine's grants hold back what a receiver has no room for.
 *
 * <p>Source: the scattered algorithm of MPICH, as in R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective
 * communication operations in MPICH", IJHPCA 19(1), 2005.
 *
 * <p>On 5 ranks, whose block each rank sends, and to whom:
 *
 * <pre>
 * rank 0    rank 1    rank 2    rank 3    rank 4
 * 1 2 3 4   2 3 4 0   3 4 0 1   4 0 1 2   0 1 2 3
 * </pre>
 *
 * <p>Steps: p-1. Sent per rank: p-1 messages, all blocks but its own. Cost: α + (p-1)/p·nβ with all links busy.
 *
 * <p>Restrictions: none; in place, blocks come in where blocks of the same lengths go out.
 *
 * <p>Scratch: none; in place the whole tensor.
 */
public final class DirectAllToAll implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.ALL_TO_ALL;
    }

    @Override
    public String name() {
        return "direct";
    }

    @Override
    public Effort effort(Shape shape) {
        return new Effort.Builder()
                .add(1, shape.ranks() - 1, shape.bytes() - shape.share(), 0, shape.ranks())
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        exchange(builder, problem, problem.size());
        return builder.build();
    }

    /**
     * Adds the steps of a rank.
     *
     * @param atOnce how many sends are on their way at most
     */
    static void exchange(ScheduleBuilder builder, Problem problem, int atOnce) {
        Ring ring = new Ring(problem.size());
        int rank = problem.rank();
        builder.copy(
                problem.blocks().slice(Buffer.INPUT, rank), problem.incoming().slice(Buffer.OUTPUT, rank));
        boolean detour = problem.inPlace() && problem.size() > 1;
        Buffer target = detour ? builder.scratch(problem.outputLength()) : Buffer.OUTPUT;
        for (int distance = 1; distance < problem.size(); distance++) {
            int peer = ring.right(rank, distance);
            int source = ring.right(rank, -distance);
            builder.afterSendsBut(atOnce - 1).send(peer, problem.blocks().slice(Buffer.INPUT, peer));
            builder.recv(source, problem.incoming().slice(target, source));
        }
        for (int distance = 1; detour && distance < problem.size(); distance++) {
            int source = ring.right(rank, -distance);
            Slice arrived = problem.incoming().slice(target, source);
            builder.copy(arrived, problem.incoming().slice(Buffer.OUTPUT, source));
        }
    }
}

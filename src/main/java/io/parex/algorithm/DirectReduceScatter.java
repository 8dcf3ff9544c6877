package io.parex.algorithm;

import io.parex.schedule.Blocks;
import io.parex.schedule.Buffer;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Ring;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * Every rank sends each other rank that rank's block, and sums its own in rank order.
 *
 * <p>Source: the pairwise exchange of R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication
 * operations in MPICH", IJHPCA 19(1), 2005, here all at once; the order of the sum is what makes it slower to begin.
 *
 * <p>On 5 ranks, whose block each rank sends, and to whom; rank 1 computes (((0 + 1) + 2) + 3) + 4 of its block:
 *
 * <pre>
 * rank 0    rank 1    rank 2    rank 3    rank 4
 * 1 2 3 4   2 3 4 0   3 4 0 1   4 0 1 2   0 1 2 3
 * </pre>
 *
 * <p>Steps: p-1. Sent per rank: p-1 messages, all blocks but its own. Cost: (p-1)α + (p-1)/p·n(β + γ).
 *
 * <p>Restrictions: none; the operation need not commute.
 *
 * <p>Scratch: the own block, on more than two ranks.
 */
public final class DirectReduceScatter implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.REDUCE_SCATTER;
    }

    @Override
    public String name() {
        return "direct";
    }

    @Override
    public boolean inRankOrder() {
        return true;
    }

    @Override
    public Effort effort(Shape shape) {
        return reduceScatter(new Effort.Builder(), shape)
                .scratch(shape.partialShare())
                .build();
    }

    /** The effort of giving each rank its blocks of all others. */
    static Effort.Builder reduceScatter(Effort.Builder effort, Shape shape) {
        double reduced = shape.partial() - shape.partialShare();
        return effort.add(1, shape.ranks() - 1, shape.bytes() - shape.share(), reduced, shape.ranks());
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Slice target = new Slice(Buffer.OUTPUT, 0, problem.outputLength());
        reduceScatter(builder, problem, problem.blocks(), target);
        return builder.build();
    }

    /** Adds the steps that leave the sum of this rank's block in {@code target}. */
    static void reduceScatter(ScheduleBuilder builder, Problem problem, Blocks blocks, Slice target) {
        Ring ring = new Ring(problem.size());
        for (int distance = 1; distance < problem.size(); distance++) {
            int peer = ring.right(problem.rank(), distance);
            builder.send(peer, blocks.slice(Buffer.INPUT, peer));
        }
        new LeftFold(builder, problem, blocks.slice(Buffer.INPUT, problem.rank()), target).add();
    }
}

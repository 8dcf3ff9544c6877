package io.parex.algorithm;

import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;

/**
 * In step k each rank sends to the rank k to its right and hears from the rank k to its left; a rank has two steps
 * under way, so that the next begins while the last bytes of one are on their way.
 *
 * <p>Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH",
 * IJHPCA 19(1), 2005.
 *
 * <p>On 5 ranks, whose block each rank sends, and to whom:
 *
 * <pre>
 * step    rank 0  rank 1  rank 2  rank 3  rank 4
 *   1       1       2       3       4       0
 *   2       2       3       4       0       1
 *   3       3       4       0       1       2
 *   4       4       0       1       2       3
 * </pre>
 *
 * <p>Steps: p-1. Sent per rank: p-1 messages, all blocks but its own. Cost: (p-1)α + (p-1)/p·nβ.
 *
 * <p>Restrictions: none; in place, blocks come in where blocks of the same lengths go out.
 *
 * <p>Scratch: none; in place the whole tensor.
 */
public final class PairwiseAllToAll implements Algorithm {
    private static final int AT_ONCE = 2;

    @Override
    public Primitive primitive() {
        return Primitive.ALL_TO_ALL;
    }

    @Override
    public String name() {
        return "pairwise";
    }

    @Override
    public Effort effort(Shape shape) {
        double atOnce = Math.min(AT_ONCE, shape.ranks() - 1);
        return new Effort.Builder()
                .add((shape.ranks() - 1) / atOnce, atOnce, atOnce * shape.share(), 0, shape.ranks())
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        DirectAllToAll.exchange(builder, problem, AT_ONCE);
        return builder.build();
    }
}

package io.parex.algorithm;

import io.parex.schedule.Buffer;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * Every rank sends its tensor to the root, which sums them in rank order.
 *
 * <p>Source: folklore; the linear reduction of MPI implementations for operations that do not commute.
 *
 * <p>On 5 ranks, root 2: 0, 1, 3 and 4 send to 2, which computes (((0 + 1) + 2) + 3) + 4 as they arrive.
 *
 * <p>Steps: p-1 at the root's link. Sent per rank: its tensor, nothing by the root. Cost: (p-1)(α + nβ + nγ).
 *
 * <p>Restrictions: none; the operation need not commute, and the sum is the same for every root.
 *
 * <p>Scratch: the whole tensor, at the root of more than two ranks.
 */
public final class DirectReduce implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.REDUCE;
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
        double others = shape.ranks() - 1;
        return new Effort.Builder()
                .add(1, Math.min(others, shape.ranks() / 2.0), others * shape.bytes(), others * shape.partial(), 1)
                .scratch(shape.partial())
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Slice own = new Slice(Buffer.INPUT, 0, problem.count());
        if (problem.isRoot()) {
            new LeftFold(builder, problem, own, new Slice(Buffer.OUTPUT, 0, problem.count())).add();
        } else {
            builder.send(problem.root(), own);
        }
        return builder.build();
    }
}

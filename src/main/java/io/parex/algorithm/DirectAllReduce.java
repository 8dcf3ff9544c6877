package io.parex.algorithm;

import io.parex.schedule.Buffer;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Ring;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * Every rank sends its tensor to all others and sums all in rank order: one round trip of the network, for small
 * tensors and few ranks.
 *
 * <p>Source: the all_gather followed by a local reduction of Open MPI.
 *
 * <p>On 5 ranks: everybody sends to everybody and computes (((0 + 1) + 2) + 3) + 4.
 *
 * <p>Steps: 1, but p-1 messages at each link. Sent per rank: the whole tensor p-1 times. Cost: α + (p-1)n(β + γ).
 *
 * <p>Restrictions: none; the operation need not commute.
 *
 * <p>Scratch: the whole tensor; on two ranks only if in place.
 */
public final class DirectAllReduce implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.ALL_REDUCE;
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
                .add(1, others, others * shape.bytes(), others * shape.partial(), shape.ranks())
                .scratch(shape.partial())
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Slice input = new Slice(Buffer.INPUT, 0, problem.count());
        Slice output = new Slice(Buffer.OUTPUT, 0, problem.count());
        Ring ring = new Ring(problem.size());
        for (int distance = 1; distance < problem.size(); distance++) {
            builder.send(ring.right(problem.rank(), distance), input);
        }
        // Two ranks in place must not write what they send: each would wait for the other. Of more, only the last one's
        // values go straight into outputs, and the values that those outputs wait for go into scratch.
        boolean detour = problem.size() == 2 && problem.inPlace();
        Slice target = detour ? new Slice(builder.scratch(problem.count()), 0, problem.count()) : output;
        new LeftFold(builder, problem, input, target).add();
        if (detour) {
            builder.copy(target, output);
        }
        return builder.build();
    }
}

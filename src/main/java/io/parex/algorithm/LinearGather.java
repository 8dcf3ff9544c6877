package io.parex.algorithm;

import io.parex.schedule.Buffer;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Ring;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * Every rank sends its block to the root, which takes as many at once as it has room for.
 *
 * <p>Source: folklore; {@code linear_sync} of Open MPI throttles the senders as the engine's grants do.
 *
 * <p>On 5 ranks, root 0: 1, 2, 3 and 4 send blocks 1, 2, 3 and 4 to 0.
 *
 * <p>Steps: 1, but p-1 at the root's link. Sent per rank: its block, nothing by the root. Cost: (p-1)α + (p-1)/p·nβ.
 *
 * <p>Restrictions: none; in the v-form a rank other than the root needs to know its own block's length only.
 *
 * <p>Scratch: none.
 */
public final class LinearGather implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.GATHER;
    }

    @Override
    public String name() {
        return "linear";
    }

    @Override
    public Effort effort(Shape shape) {
        return new Effort.Builder()
                .add(1, Math.min(shape.ranks() - 1, shape.ranks() / 2.0), shape.bytes() - shape.share(), 0, 1)
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Slice own = new Slice(Buffer.INPUT, 0, problem.blocks().length(problem.rank()));
        if (!problem.isRoot()) {
            return builder.send(problem.root(), own).build();
        }
        builder.copy(own, problem.blocks().slice(Buffer.OUTPUT, problem.rank()));
        Ring ring = new Ring(problem.size());
        for (int distance = 1; distance < problem.size(); distance++) {
            int peer = ring.right(problem.rank(), distance);
            builder.recv(peer, problem.blocks().slice(Buffer.OUTPUT, peer));
        }
        return builder.build();
    }
}

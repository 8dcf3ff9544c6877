package io.parex.algorithm;

import io.parex.schedule.Buffer;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Ring;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * The root sends every rank its block.
 *
 * <p>Source: folklore.
 *
 * <p>On 5 ranks, root 0: 0 sends blocks 1, 2, 3 and 4 to 1, 2, 3 and 4.
 *
 * <p>Steps: p-1, all at the root. Sent per rank: by the root p-1 blocks, nothing by others. Cost: (p-1)α + (p-1)/p·nβ.
 *
 * <p>Restrictions: none; in the v-form a rank other than the root needs to know its own block's length only.
 *
 * <p>Scratch: none.
 */
public final class LinearScatter implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.SCATTER;
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
        Slice own = new Slice(Buffer.OUTPUT, 0, problem.blocks().length(problem.rank()));
        if (!problem.isRoot()) {
            return builder.recv(problem.root(), own).build();
        }
        Ring ring = new Ring(problem.size());
        for (int distance = 1; distance < problem.size(); distance++) {
            int peer = ring.right(problem.rank(), distance);
            builder.send(peer, problem.blocks().slice(Buffer.INPUT, peer));
        }
        return builder.copy(problem.blocks().slice(Buffer.INPUT, problem.rank()), own)
                .build();
    }
}

package io.parex.algorithm;

import io.parex.schedule.Buffer;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Ring;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * In round k each rank tells the rank 2^k to its right that it, and all it has heard from, have arrived.
 *
 * <p>Source: D. Hensgen, R. Finkel, U. Manber, "Two algorithms for barrier synchronization", Int. J. of Parallel
 * Programming 17(1), 1988.
 *
 * <p>On 5 ranks, whom each has heard from after each round:
 *
 * <pre>
 * round   rank 0   rank 1   rank 2   rank 3   rank 4
 *   0     4        0        1        2        3
 *   1     4 3 2    0 4 3    1 0 4    2 1 0    3 2 1
 *   2     all      all      all      all      all
 * </pre>
 *
 * <p>Steps: L rounded up. Sent per rank: L messages without elements. Cost: Lα.
 *
 * <p>Restrictions: none.
 *
 * <p>Scratch: none. All messages name one token, the empty slice at the start of the output, so that the sends of a
 * round wait for the receives of all earlier rounds.
 */
public final class DisseminationBarrier implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.BARRIER;
    }

    @Override
    public String name() {
        return "dissemination";
    }

    @Override
    public Effort effort(Shape shape) {
        return new Effort.Builder()
                .exchange(shape.doublings(), 0, shape.ranks())
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        int rank = problem.rank();
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Ring ring = new Ring(problem.size());
        Slice token = new Slice(Buffer.OUTPUT, 0, 0);
        for (int distance = 1; distance < problem.size(); distance <<= 1) {
            builder.send(ring.right(rank, distance), token);
            builder.recv(ring.right(rank, -distance), token);
        }
        return builder.build();
    }
}

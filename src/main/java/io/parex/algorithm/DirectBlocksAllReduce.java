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
 * The tensor is cut into one chunk per rank; every rank gets its chunk from all others, sums it in rank order and sends
 * the result to all others: as many bytes as a ring, in two rounds of many messages.
 *
 * <p>Source: the reduce_scatter and all_gather of R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective
 * communication operations in MPICH", IJHPCA 19(1), 2005, by direct messages.
 *
 * <p>On 5 ranks, the chunk that each rank sends in the order of its messages, {@code 2} from its input, {@code 2*} the
 * result; {@code 2 3 4 0} go to ranks 2, 3, 4 and 0:
 *
 * <pre>
 * rank 0       rank 1       rank 2       rank 3       rank 4
 * 1 2 3 4      2 3 4 0      3 4 0 1      4 0 1 2      0 1 2 3
 * 0* 4 times   1* 4 times   2* 4 times   3* 4 times   4* 4 times
 * </pre>
 *
 * <p>Steps: 2(p-1). Sent per rank: 2(p-1) messages; all chunks but its own once, its own p-1 times. Cost: 2(p-1)α +
 * 2(p-1)/p·nβ + (p-1)/p·nγ.
 *
 * <p>Restrictions: none; the operation need not commute.
 *
 * <p>Scratch: a chunk, on more than two ranks.
 */
public final class DirectBlocksAllReduce implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.ALL_REDUCE;
    }

    @Override
    public String name() {
        return "direct_blocks";
    }

    @Override
    public boolean inRankOrder() {
        return true;
    }

    @Override
    public Effort effort(Shape shape) {
        return DirectReduceScatter.reduceScatter(new Effort.Builder(), shape)
                .add(1, shape.ranks() - 1, shape.bytes() - shape.share(), 0, shape.ranks())
                .scratch(shape.partialShare())
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Blocks chunks = Blocks.spread(problem.count(), problem.size());
        Ring ring = new Ring(problem.size());
        Slice result = chunks.slice(Buffer.OUTPUT, problem.rank());
        DirectReduceScatter.reduceScatter(builder, problem, chunks, result);
        for (int distance = 1; distance < problem.size(); distance++) {
            int left = ring.right(problem.rank(), -distance);
            builder.send(ring.right(problem.rank(), distance), result);
            builder.recv(left, chunks.slice(Buffer.OUTPUT, left));
        }
        return builder.build();
    }
}

package io.parex.algorithm;

import io.parex.schedule.Blocks;
import io.parex.schedule.Buffer;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Ring;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;
import java.util.function.IntFunction;

/**
 * Each block travels once around the ring to its rank while every rank adds its share.
 *
 * <p>Source: P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69(2),
 * 2009.
 *
 * <p>On 5 ranks, the block that each rank sends to its right neighbour: {@code 2} from its input, {@code 2'} a partial
 * sum:
 *
 * <pre>
 * step    rank 0  rank 1  rank 2  rank 3  rank 4
 *   0       4       0       1       2       3
 *   1       3'      4'      0'      1'      2'
 *   2       2'      3'      4'      0'      1'
 *   3       1'      2'      3'      4'      0'
 * </pre>
 *
 * <p>Steps: p-1. Sent per rank: p-1 messages, all blocks but its own. Cost: (p-1)α + (p-1)/p·n(β + γ).
 *
 * <p>Restrictions: commutative operations, as block b is summed from rank b+1 onwards around the ring.
 *
 * <p>Scratch: p-2 buffers of a block, all of them pipes, of which a window is kept.
 */
public final class RingReduceScatter implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.REDUCE_SCATTER;
    }

    @Override
    public String name() {
        return "ring";
    }

    @Override
    public Effort effort(Shape shape) {
        return reduceScatter(new Effort.Builder(), shape).build();
    }

    /** The effort of the rounds around the ring. */
    static Effort.Builder reduceScatter(Effort.Builder effort, Shape shape) {
        return effort.combine(shape.ranks() > 1 ? 1 : 0, shape.share(), shape.partialShare(), shape.ranks())
                .combine(shape.ranks() - 2, shape.partialShare(), shape.partialShare(), shape.ranks());
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Slice output = new Slice(Buffer.OUTPUT, 0, problem.outputLength());
        reduceScatter(builder, problem.blocks(), problem.rank(), problem.rank(), output);
        return builder.build();
    }

    /**
     * Adds the steps that leave one sum on each rank.
     *
     * @param block the one that this rank is left with; its right neighbour is left with the next
     * @param target where that goes
     */
    static void reduceScatter(ScheduleBuilder builder, Blocks blocks, int rank, int block, Slice target) {
        if (blocks.size() == 1) {
            builder.copy(blocks.slice(Buffer.INPUT, 0), target);
        }
        RingSeat seat = RingSeat.of(blocks.size(), rank);
        reduceScatter(builder, seat, each -> blocks.slice(Buffer.INPUT, each), false, block, target);
    }

    /**
     * The same in a ring of some ranks.
     *
     * @param blocks what this rank adds to each
     * @param partial whether what the left neighbour begins with are partial results
     */
    static void reduceScatter(
            ScheduleBuilder builder,
            RingSeat seat,
            IntFunction<Slice> blocks,
            boolean partial,
            int block,
            Slice target) {
        Ring ring = new Ring(seat.size());
        int last = seat.size() - 1;
        Slice outgoing = blocks.apply(ring.right(block, -1));
        for (int step = 1; step <= last; step++) {
            Slice own = blocks.apply(ring.right(block, -step - 1));
            Slice sum = step == last ? target : new Slice(builder.scratch(own.length()), 0, own.length());
            builder.send(seat.right(), outgoing);
            builder.recvReduce(seat.left(), own, sum, partial || step > 1);
            outgoing = sum;
        }
    }
}

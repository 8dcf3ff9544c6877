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
 * Each block travels once around the ring; every rank keeps what it passes on.
 *
 * <p>Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH",
 * IJHPCA 19(1), 2005.
 *
 * <p>On 5 ranks, the block that each rank sends to its right neighbour:
 *
 * <pre>
 * step    rank 0  rank 1  rank 2  rank 3  rank 4
 *   0       0       1       2       3       4
 *   1       4       0       1       2       3
 *   2       3       4       0       1       2
 *   3       2       3       4       0       1
 * </pre>
 *
 * <p>Steps: p-1. Sent per rank: p-1 messages, all blocks but the right neighbour's. Cost: (p-1)α + (p-1)/p·nβ.
 *
 * <p>Restrictions: none.
 *
 * <p>Scratch: none.
 */
public final class RingAllGather implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.ALL_GATHER;
    }

    @Override
    public String name() {
        return "ring";
    }

    @Override
    public Effort effort(Shape shape) {
        return new Effort.Builder()
                .exchange(shape.ranks() - 1, shape.share(), shape.ranks())
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Blocks blocks = problem.blocks();
        int rank = problem.rank();
        Slice own = new Slice(Buffer.INPUT, 0, blocks.length(rank));
        builder.copy(own, blocks.slice(Buffer.OUTPUT, rank));
        allGather(builder, blocks, own, rank, rank);
        return builder.build();
    }

    /**
     * Adds the steps that bring every block everywhere.
     *
     * @param own the block that this rank begins with
     * @param block its number; the left neighbour begins with the one before
     */
    static void allGather(ScheduleBuilder builder, Blocks blocks, Slice own, int block, int rank) {
        RingSeat seat = RingSeat.of(blocks.size(), rank);
        allGather(builder, seat, each -> blocks.slice(Buffer.OUTPUT, each), own, block);
    }

    /**
     * The same in a ring of some ranks.
     *
     * @param blocks where each goes
     */
    static void allGather(ScheduleBuilder builder, RingSeat seat, IntFunction<Slice> blocks, Slice own, int block) {
        Ring ring = new Ring(seat.size());
        Slice outgoing = own;
        for (int step = 1; step < seat.size(); step++) {
            Slice incoming = blocks.apply(ring.right(block, -step));
            builder.send(seat.right(), outgoing);
            builder.recv(seat.left(), incoming);
            outgoing = incoming;
        }
    }
}

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
 * Each rank holds the blocks of some ranks from itself on; in each round it gets as many more from the rank that holds
 * the next ones, so that L rounds bring everything everywhere for any p.
 *
 * <p>Source: J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, "Efficient algorithms for all-to-all
 * communications in multiport message-passing systems", IEEE TPDS 8(11), 1997. There blocks are kept in the order from
 * the own rank on and rotated at the end. Here each goes to its place at once; blocks that lie around the end of the
 * tensor are sent as two messages.
 *
 * <p>On 5 ranks, the blocks that each rank sends, to the rank 1, 2 and 4 to its left:
 *
 * <pre>
 * round   rank 0   rank 1   rank 2   rank 3   rank 4
 *   0      0        1        2        3        4
 *   1      0 1      1 2      2 3      3 4      4 | 0
 *   2      0        1        2        3        4
 * </pre>
 *
 * <p>Steps: L rounded up. Sent per rank: one message a round, or two in a round in which its blocks go around the end;
 * p-1 blocks, of which its own in each round. Cost: Lα + (p-1)/p·nβ.
 *
 * <p>Restrictions: none.
 *
 * <p>Scratch: none.
 */
public final class BruckAllGather implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.ALL_GATHER;
    }

    @Override
    public String name() {
        return "bruck";
    }

    @Override
    public Effort effort(Shape shape) {
        Effort.Builder effort = new Effort.Builder();
        for (int held = 1; held < shape.ranks(); held *= 2) {
            int blocks = Math.min(held, shape.ranks() - held);
            effort.add(1, blocks > 1 ? 2 : 1, blocks * shape.share(), 0, shape.ranks());
        }
        return effort.joinLast(shape).build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Blocks blocks = problem.blocks();
        Ring ring = new Ring(problem.size());
        int rank = problem.rank();
        builder.copy(new Slice(Buffer.INPUT, 0, blocks.length(rank)), blocks.slice(Buffer.OUTPUT, rank));
        for (int held = 1; held < problem.size(); held <<= 1) {
            int more = Math.min(held, problem.size() - held);
            int holder = ring.right(rank, held);
            for (Ring.Range range : ring.ranges(rank, more)) {
                if (more < held && blocks.hasEmpty()) {
                    // The last round may send of what came in another only a block that is empty.
                    builder.afterReceives();
                }
                builder.send(ring.right(rank, -held), blocks.slice(Buffer.OUTPUT, range.from(), range.to()));
            }
            for (Ring.Range range : ring.ranges(holder, more)) {
                builder.recv(holder, blocks.slice(Buffer.OUTPUT, range.from(), range.to()));
            }
        }
        return builder.build();
    }
}

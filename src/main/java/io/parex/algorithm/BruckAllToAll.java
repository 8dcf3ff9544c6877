package io.parex.algorithm;

import io.parex.schedule.Buffer;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Ring;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * A block for the rank at distance d takes a hop of 2^k for every one bit of d: L rounds of one message with about half
 * the blocks each, for small blocks.
 *
 * <p>Source: J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, "Efficient algorithms for all-to-all
 * communications in multiport message-passing systems", IEEE TPDS 8(11), 1997. There blocks are rotated at both ends;
 * here a message is packed from wherever its blocks are, and left where it arrives.
 *
 * <p>On 5 ranks, the distances whose blocks each rank sends, and to whom:
 *
 * <pre>
 * round   distances   rank 0   rank 1   rank 2   rank 3   rank 4
 *   0     1 3         to 1     to 2     to 3     to 4     to 0
 *   1     2 3         to 2     to 3     to 4     to 0     to 1
 *   2     4           to 4     to 0     to 1     to 2     to 3
 * </pre>
 *
 * <p>Steps: L rounded up. Sent per rank: one message a round, with a block for every distance below p that has the bit
 * of the round. Cost: Lα + nLβ/2.
 *
 * <p>Restrictions: no v-form, as lengths of blocks between others are not known.
 *
 * <p>Scratch: two buffers a round for its message, about nL in all.
 */
public final class BruckAllToAll implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.ALL_TO_ALL;
    }

    @Override
    public String name() {
        return "bruck";
    }

    @Override
    public boolean handles(Primitive asked, int size) {
        return !asked.isV();
    }

    @Override
    public Effort effort(Shape shape) {
        Effort.Builder effort = new Effort.Builder();
        for (int bit = 1; bit < shape.ranks(); bit *= 2) {
            int whole = shape.ranks() / (2 * bit) * bit;
            int blocks = whole + Math.max(0, shape.ranks() % (2 * bit) - bit);
            effort.exchange(1, blocks * shape.share(), shape.ranks());
        }
        return effort.joinLast(shape).scratch(shape.bytes() * shape.doublings()).build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Ring ring = new Ring(problem.size());
        Slice[] blocks = new Slice[problem.size()];
        for (int distance = 0; distance < blocks.length; distance++) {
            blocks[distance] = problem.blocks().slice(Buffer.INPUT, ring.right(problem.rank(), distance));
        }
        for (int bit = 1; bit < blocks.length; bit <<= 1) {
            round(builder, ring.right(problem.rank(), bit), ring.right(problem.rank(), -bit), blocks, bit);
        }
        for (int distance = 0; distance < blocks.length; distance++) {
            int source = ring.right(problem.rank(), -distance);
            builder.copy(blocks[distance], problem.incoming().slice(Buffer.OUTPUT, source));
        }
        return builder.build();
    }

    /** Sends the blocks whose distance has the bit, and puts those that arrive in their stead. */
    private static void round(ScheduleBuilder builder, int to, int from, Slice[] blocks, int bit) {
        long length = blocks[0].length();
        long total = 0;
        for (int distance = bit; distance < blocks.length; distance = distance + 1 | bit) {
            total += length;
        }
        Buffer packed = builder.scratch(total);
        Buffer arrived = builder.scratch(total);
        long offset = 0;
        for (int distance = bit; distance < blocks.length; distance = distance + 1 | bit) {
            builder.copy(blocks[distance], new Slice(packed, offset, length));
            blocks[distance] = new Slice(arrived, offset, length);
            offset += length;
        }
        builder.send(to, new Slice(packed, 0, total));
        builder.recv(from, new Slice(arrived, 0, total));
    }
}

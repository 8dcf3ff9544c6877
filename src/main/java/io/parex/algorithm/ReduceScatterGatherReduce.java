package io.parex.algorithm;

import io.parex.schedule.Blocks;
import io.parex.schedule.Buffer;
import io.parex.schedule.Folding;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * A reduce_scatter by recursive halving, then a binomial gather of the sums to the root; where p is no power of two,
 * some ranks other than the root hand their input to a neighbour beforehand and are through.
 *
 * <p>Source: R. Rabenseifner, "Optimization of collective reduction operations", ICCS 2004. See {@link Folding}.
 *
 * <p>On 5 ranks, root 3, the tensor cut into 4 chunks; those that each rank sums, then those that it holds the sums of:
 *
 * <pre>
 * round         rank 0   rank 1   rank 2   rank 3   rank 4
 * fold                   abcd                                (0 to 1)
 * exchange 0             ab       ab       cd       cd       (1 with 3, 2 with 4)
 * exchange 1             a        b        c        d        (1 with 2, 3 with 4)
 * gather 0               ab                cd                (2 to 1, 4 to 3)
 * gather 1                                 abcd              (1 to 3)
 * </pre>
 *
 * <p>Steps: 2L rounded down, and 1 more if p is no power of two. Sent per rank: all chunks but its own, in L messages,
 * and, but by the root, one message to the gathering rank, with as many chunks as that is away; or the whole tensor
 * once by one that hands over. Cost: 2Lα + 2(p-1)/p·nβ + (p-1)/p·nγ, and α + n(β + γ) where it folds.
 *
 * <p>Restrictions: commutative operations. Any count; empty chunks still travel.
 *
 * <p>Scratch: half the tensor, none at the root of two ranks; the whole in a rank that is handed something.
 */
public final class ReduceScatterGatherReduce implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.REDUCE;
    }

    @Override
    public String name() {
        return "reduce_scatter_gather";
    }

    @Override
    public Effort effort(Shape shape) {
        Effort.Builder effort = new Effort.Builder().foldSums(shape).halve(shape);
        for (int round = shape.coreRounds(); round >= 1; round--) {
            effort.exchange(1, shape.bytes() / (1L << round), 1L << (round - 1));
        }
        return effort.scratchOfHalving(shape).build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Folding folding = new Folding(problem.size(), problem.root());
        Blocks chunks = Blocks.spread(problem.count(), folding.core());
        if (problem.size() == 1) {
            Slice output = new Slice(Buffer.OUTPUT, 0, problem.count());
            return builder.copy(chunks.slice(Buffer.INPUT, 0), output).build();
        }
        Halving halving = new Halving(builder, problem, folding, chunks);
        if (folding.isAway(problem.rank())) {
            halving.foldAway();
        } else if (problem.isRoot()) {
            halving.reduceScatter(chunks.slice(Buffer.OUTPUT, folding.virtual(problem.rank())));
            gather(builder, folding, chunks);
        } else {
            halving.reduceScatter(null);
            passOn(builder, folding, halving, problem);
        }
        return builder.build();
    }

    /** At the root: partial results are finished as they arrive. */
    private static void gather(ScheduleBuilder builder, Folding folding, Blocks chunks) {
        int virtual = folding.virtual(folding.kept());
        for (int bit = 1; bit < folding.core(); bit <<= 1) {
            int theirs = virtual & -bit ^ bit;
            Slice target = chunks.slice(Buffer.OUTPUT, theirs, theirs + bit);
            builder.recv(folding.actual(virtual ^ bit), target, true);
        }
    }

    private static void passOn(ScheduleBuilder builder, Folding folding, Halving halving, Problem problem) {
        int virtual = folding.virtual(problem.rank());
        int last = Integer.lowestOneBit(virtual ^ folding.virtual(problem.root()));
        for (int bit = 1; bit < last; bit <<= 1) {
            int theirs = virtual & -bit ^ bit;
            builder.recv(folding.actual(virtual ^ bit), halving.sums(theirs, theirs + bit));
        }
        int mine = virtual & -last;
        builder.send(folding.actual(virtual ^ last), halving.sums(mine, mine + last));
    }
}

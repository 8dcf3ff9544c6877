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
 * A reduce_scatter by recursive halving, then an all_gather of the results by recursive doubling; where p is no power
 * of two, some ranks hand their input to a neighbour beforehand and get the result from it at the end.
 *
 * <p>Source: R. Rabenseifner, "Optimization of collective reduction operations", ICCS 2004. See {@link Folding}.
 *
 * <p>On 5 ranks, the tensor cut into 4 chunks; those that each rank sums, then those that it has:
 *
 * <pre>
 * round         rank 0   rank 1   rank 2   rank 3   rank 4
 * fold                   abcd                                (0 to 1)
 * exchange 0             ab       ab       cd       cd       (1 with 3, 2 with 4)
 * exchange 1             a        b        c        d        (1 with 2, 3 with 4)
 * exchange 2             ab       ab       cd       cd       (1 with 2, 3 with 4)
 * exchange 3             abcd     abcd     abcd     abcd     (1 with 3, 2 with 4)
 * unfold        abcd                                         (1 to 0)
 * </pre>
 *
 * <p>Steps: 2L rounded down, and 2 more if p is no power of two. Sent per rank: one message a round; once all chunks
 * but its own, then its own 2^L - 1 times or as much of others; by an odd one of the first 2(p - 2^L) ranks the whole
 * tensor more, by an even one only that. Cost: 2Lα + 2(p-1)/p·nβ + (p-1)/p·nγ, and 2α + 2nβ + nγ where it folds.
 *
 * <p>Restrictions: commutative operations. Any count; empty chunks still travel.
 *
 * <p>Scratch: half the tensor, on more than three ranks; the whole in an odd rank of those that fold.
 */
public final class RabenseifnerAllReduce implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.ALL_REDUCE;
    }

    @Override
    public String name() {
        return "rabenseifner";
    }

    @Override
    public Effort effort(Shape shape) {
        return new Effort.Builder()
                .foldSums(shape)
                .halve(shape)
                .doubleUp(shape)
                .exchange(1, shape.bytes(), shape.pairs())
                .scratchOfHalving(shape)
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Folding folding = new Folding(problem.size());
        Blocks chunks = Blocks.spread(problem.count(), folding.core());
        int neighbour = folding.neighbour(problem.rank());
        int virtual = folding.virtual(problem.rank());
        Slice output = new Slice(Buffer.OUTPUT, 0, problem.count());
        if (problem.size() == 1) {
            return builder.copy(chunks.slice(Buffer.INPUT, 0), output).build();
        }
        Halving halving = new Halving(builder, problem, folding, chunks);
        if (folding.isAway(problem.rank())) {
            halving.foldAway();
            builder.recv(neighbour, output);
        } else {
            halving.reduceScatter(chunks.slice(Buffer.OUTPUT, virtual));
            Doubling.allGather(builder, folding, chunks, virtual);
            if (neighbour >= 0) {
                builder.send(neighbour, output);
            }
        }
        return builder.build();
    }
}

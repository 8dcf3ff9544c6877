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
 * In each round each rank exchanges half of what it has with a partner, first half the ranks away, then a quarter, and
 * sums the other half; where p is no power of two, some ranks hand their input to a neighbour beforehand and get their
 * block from it at the end.
 *
 * <p>Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH",
 * IJHPCA 19(1), 2005. See {@link Folding}.
 *
 * <p>On 5 ranks, the blocks that each rank sums:
 *
 * <pre>
 * round         rank 0   rank 1   rank 2   rank 3   rank 4
 * fold                   01234                               (0 to 1)
 * exchange 0             012      012      34       34       (1 with 3, 2 with 4)
 * exchange 1             01       2        3        4        (1 with 2, 3 with 4)
 * unfold        0        1                                   (1 to 0)
 * </pre>
 *
 * <p>Steps: L rounded down, and 2 more if p is no power of two. Sent per rank: one message a round, all blocks but its
 * own, or, of the first 2(p - 2^L) ranks, all by an even one and all but its own by an odd one. Cost: Lα + (p-1)/p·n(β
 * + γ), and 2α + nβ + nγ where it folds.
 *
 * <p>Restrictions: commutative operations.
 *
 * <p>Scratch: what is kept of the first exchange, of an odd rank of those that fold the whole tensor.
 */
public final class RecursiveHalvingReduceScatter implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.REDUCE_SCATTER;
    }

    @Override
    public String name() {
        return "recursive_halving";
    }

    @Override
    public Effort effort(Shape shape) {
        return new Effort.Builder()
                .foldSums(shape)
                .halve(shape)
                .exchange(1, shape.share(), shape.pairs())
                .scratchOfHalving(shape)
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Folding folding = new Folding(problem.size());
        Blocks blocks = problem.blocks();
        int rank = problem.rank();
        int neighbour = folding.neighbour(rank);
        Slice output = new Slice(Buffer.OUTPUT, 0, problem.outputLength());
        if (problem.size() == 1) {
            return builder.copy(blocks.slice(Buffer.INPUT, 0), output).build();
        }
        Halving halving = new Halving(builder, problem, folding, folding.join(blocks));
        if (folding.isAway(rank)) {
            halving.foldAway();
            builder.recv(neighbour, output, true);
        } else if (neighbour >= 0) {
            halving.reduceScatter(null);
            int virtual = folding.virtual(rank);
            Slice both = halving.sums(virtual, virtual + 1);
            long theirs = blocks.length(neighbour);
            builder.send(neighbour, new Slice(both.buffer(), both.offset(), theirs));
            builder.copy(new Slice(both.buffer(), both.offset() + theirs, output.length()), output);
        } else {
            halving.reduceScatter(output);
        }
        return builder.build();
    }
}

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
 * In round k each rank exchanges all it has with the rank 2^k away; where p is no power of two, some ranks hand their
 * block to a neighbour beforehand and get the others from it at the end.
 *
 * <p>Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH",
 * IJHPCA 19(1), 2005. See {@link Folding}.
 *
 * <p>On 5 ranks, what each rank has after each round:
 *
 * <pre>
 * round         rank 0   rank 1   rank 2   rank 3   rank 4
 * fold          0        01       2        3        4        (0 to 1)
 * exchange 0    0        012      012      34       34       (1 with 2, 3 with 4)
 * exchange 1    0        01234    01234    01234    01234    (1 with 3, 2 with 4)
 * unfold        01234                                        (1 to 0: 1234)
 * </pre>
 *
 * <p>Steps: L rounded down, and 2 more if p is no power of two. Sent per rank: one message a round with all it has,
 * which doubles each round; before that its block alone by a rank that folds away, and after that all blocks but its
 * neighbour's by that neighbour, in two messages unless it is rank 1. Cost: Lα + (p-1)/p·nβ, and 2α + nβ where it
 * folds.
 *
 * <p>Restrictions: none.
 *
 * <p>Scratch: none.
 */
public final class RecursiveDoublingAllGather implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.ALL_GATHER;
    }

    @Override
    public String name() {
        return "recursive_doubling";
    }

    @Override
    public Effort effort(Shape shape) {
        return new Effort.Builder()
                .exchange(1, shape.share(), shape.pairs())
                .doubleUp(shape)
                .exchange(1, shape.bytes(), shape.pairs())
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Folding folding = new Folding(problem.size());
        Blocks blocks = problem.blocks();
        int rank = problem.rank();
        int neighbour = folding.neighbour(rank);
        Slice own = new Slice(Buffer.INPUT, 0, blocks.length(rank));
        builder.copy(own, blocks.slice(Buffer.OUTPUT, rank));
        if (folding.isAway(rank)) {
            builder.send(neighbour, own);
            for (Slice rest : without(blocks, rank)) {
                builder.recv(neighbour, rest);
            }
            return builder.build();
        }
        if (neighbour >= 0) {
            builder.recv(neighbour, blocks.slice(Buffer.OUTPUT, neighbour));
        }
        Doubling.allGather(builder, folding, folding.join(blocks), folding.virtual(rank));
        if (neighbour >= 0) {
            for (Slice rest : without(blocks, neighbour)) {
                builder.send(neighbour, rest);
            }
        }
        return builder.build();
    }

    /** The blocks on both sides of one that folds away, and so is not the last. */
    private static Slice[] without(Blocks blocks, int block) {
        Slice after = blocks.slice(Buffer.OUTPUT, block + 1, blocks.size());
        return block == 0 ? new Slice[] {after} : new Slice[] {blocks.slice(Buffer.OUTPUT, 0, block), after};
    }
}

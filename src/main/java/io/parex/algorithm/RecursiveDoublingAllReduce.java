package io.parex.algorithm;

import io.parex.schedule.Buffer;
import io.parex.schedule.Folding;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;

/**
 * In round k each rank exchanges all it has with the rank 2^k away, so that log2 p rounds bring everything everywhere;
 * where p is no power of two, some ranks hand their input to a neighbour beforehand and get the result from it at the
 * end.
 *
 * <p>Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH",
 * IJHPCA 19(1), 2005. See {@link Folding}.
 *
 * <p>On 5 ranks; {@code ab} is the sum over ranks a and b:
 *
 * <pre>
 * round         rank 0    rank 1    rank 2    rank 3    rank 4
 * fold          0 to 1    has 01
 * exchange 0              01 : 2    2 : 01    3 : 4     4 : 3     (1 with 2, 3 with 4)
 * exchange 1              012 : 34  34 : 012  ...       ...       (1 with 3, 2 with 4)
 * unfold        01234     to 0
 * </pre>
 *
 * <p>Steps: L rounded down, and 2 more if p is no power of two. Sent per rank: the whole tensor L times; of the first
 * 2(p - 2^L) ranks an odd one L + 1 times, an even one once. Cost: L(α + nβ + nγ), and 2α + 2nβ + nγ where it folds.
 *
 * <p>Restrictions: none. Both sides of an exchange compute lower rank (+) higher rank, and each partial result covers
 * consecutive ranks, so the operation need not commute and all ranks get the same bits.
 *
 * <p>Scratch: up to two buffers of the whole tensor, used in turn.
 */
public final class RecursiveDoublingAllReduce implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.ALL_REDUCE;
    }

    @Override
    public String name() {
        return "recursive_doubling";
    }

    @Override
    public Effort effort(Shape shape) {
        double first = shape.pairs() == 0 ? shape.bytes() : shape.partial();
        return new Effort.Builder()
                .foldSums(shape)
                .combine(Math.min(1, shape.coreRounds()), first, shape.partial(), shape.core())
                .combine(shape.coreRounds() - 1, shape.partial(), shape.partial(), shape.core())
                .exchange(1, shape.bytes(), shape.pairs())
                .scratch(2 * shape.partial())
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        return new Plan(problem, this).schedule();
    }

    /** The steps of one rank as they are written down. */
    private static final class Plan {
        private final Problem problem;
        private final ScheduleBuilder builder;
        private final Folding folding;
        private final Slice input;
        private final Slice output;
        private final Slice[] turns = new Slice[2];
        private int turn;

        Plan(Problem problem, Algorithm algorithm) {
            this.problem = problem;
            this.builder = new ScheduleBuilder(algorithm.name(), problem);
            this.folding = new Folding(problem.size());
            this.input = new Slice(Buffer.INPUT, 0, problem.count());
            this.output = new Slice(Buffer.OUTPUT, 0, problem.count());
        }

        Schedule schedule() {
            int neighbour = folding.neighbour(problem.rank());
            if (problem.size() == 1) {
                builder.copy(input, output);
            } else if (neighbour < 0) {
                exchangeAll(input);
            } else if (folding.isAway(problem.rank())) {
                builder.send(neighbour, input);
                builder.recv(neighbour, output);
            } else {
                Slice pair = nextTurn();
                builder.recvReduce(neighbour, input, pair, false);
                exchangeAll(pair);
                builder.send(neighbour, output);
            }
            return builder.build();
        }

        private void exchangeAll(Slice first) {
            int virtual = folding.virtual(problem.rank());
            Slice mine = first;
            for (int bit = 1; bit < folding.core(); bit <<= 1) {
                int peer = folding.actual(virtual ^ bit);
                boolean partial = bit > 1 || folding.isPaired(virtual ^ bit);
                boolean last = bit << 1 == folding.core();
                // The only round of a call in place must not write what it sends: each side would wait for the other.
                boolean detour = last && problem.inPlace() && mine.buffer().equals(Buffer.INPUT);
                Slice sum = last && !detour ? output : nextTurn();
                builder.send(peer, mine);
                builder.recvReduce(peer, mine, sum, partial);
                if (detour) {
                    builder.copy(sum, output);
                }
                mine = sum;
            }
        }

        /** The scratch buffer that does not hold the current partial result. */
        private Slice nextTurn() {
            turn ^= 1;
            if (turns[turn] == null) {
                turns[turn] = new Slice(builder.scratch(problem.count()), 0, problem.count());
            }
            return turns[turn];
        }
    }
}

package io.parex.algorithm;

import io.parex.schedule.Blocks;
import io.parex.schedule.Buffer;
import io.parex.schedule.CirculantGraph;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Ring;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleBuilder;
import java.util.Arrays;

/**
 * The tensor is cut into many blocks; in each round every rank passes a block on to a rank some places to its right,
 * each round of a phase another number of places, so that every rank gets every block once and no round is wasted.
 *
 * <p>Source: J. L. Träff, "Optimal broadcast schedules in logarithmic time with applications to broadcast,
 * all-broadcast, reduction and all-reduction", arXiv 2407.18004, 2024; used by MPICH. See {@link CirculantGraph}.
 *
 * <p>On 5 ranks, root 0 (other roots: ranks count from the root), 3 blocks; what each rank sends, and how far to the
 * right:
 *
 * <pre>
 * round   to the   rank 0   rank 1   rank 2   rank 3   rank 4
 *   1       2        0
 *   2       3        1
 *   3       1        2                 0        1
 *   4       2        2                 0                 1
 *   5       3        2        2                 0        1
 * </pre>
 *
 * <p>Steps: B-1 + L rounded up, for B blocks. Received per rank: B messages, the whole tensor; sent as much by most,
 * and by the root B-1 + L blocks, the last one L times. That one is 1/100L of the tensor, so that the root sends it
 * once and less than 1/100; the others are equal. Cost: (B-1 + L)α + (1 + L/B)nβ at most, with B = 8L blocks.
 *
 * <p>Restrictions: none. The root sends from input and has no output, the others receive into output and pass on from
 * there. For large tensors: few bytes still travel in many messages.
 *
 * <p>Scratch: none.
 */
public final class CirculantBroadcast implements Algorithm {
    private static final int BLOCKS_PER_ROUND = 8;

    /**
     * The last block, which the root sends in each round of the last phase, is one of so many parts for each of them.
     */
    private static final int LAST_PARTS_PER_ROUND = 100;

    @Override
    public Primitive primitive() {
        return Primitive.BROADCAST;
    }

    @Override
    public String name() {
        return "circulant";
    }

    @Override
    public Effort effort(Shape shape) {
        double most = Math.max(1, BLOCKS_PER_ROUND * shape.doublings());
        double blocks = Math.clamp(shape.bytes() / shape.valueBytes(), 1, most);
        double rounds = blocks - 1 + shape.doublings();
        double block = shape.bytes() / blocks;
        return new Effort.Builder()
                .fill(shape.doublings() - 1, block, 0)
                .add(1, rounds, rounds * block, 0, (shape.ranks() - 1) * blocks / rounds)
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        if (problem.size() == 1) {
            return builder.build();
        }
        CirculantGraph graph = new CirculantGraph(problem.size());
        int phase = graph.rounds();
        Blocks blocks = blocks(problem.count(), phase);
        // The first phase is cut short by so many rounds that the last one ends with the last block.
        int first = Math.floorMod(1 - blocks.size(), phase);
        for (int round = first; round < first + blocks.size() - 1 + phase; round++) {
            add(builder, problem, graph, blocks, round, round / phase * phase - first);
        }
        return builder.build();
    }

    private static Blocks blocks(long count, int phase) {
        int size = Math.clamp(count, 1, BLOCKS_PER_ROUND * phase);
        long last = count / (LAST_PARTS_PER_ROUND * phase);
        if (last == 0) {
            return Blocks.spread(count, size);
        }
        Blocks others = Blocks.spread(count - last, size - 1);
        long[] lengths = new long[size];
        Arrays.setAll(lengths, block -> block < size - 1 ? others.length(block) : last);
        return Blocks.of(lengths);
    }

    /** Adds a round; a block after the last one stands for the last one, one before the first for none. */
    private static void add(
            ScheduleBuilder builder, Problem problem, CirculantGraph graph, Blocks blocks, int round, int shift) {
        Ring ring = new Ring(problem.size());
        int inPhase = round % graph.rounds();
        int right = ring.right(problem.rank(), graph.skip(inPhase));
        int toRight = block(problem, graph, right, inPhase) + shift;
        if (right != problem.root() && toRight >= 0) {
            Buffer source = problem.isRoot() ? Buffer.INPUT : Buffer.OUTPUT;
            builder.send(right, blocks.slice(source, Math.min(toRight, blocks.size() - 1)));
        }
        int own = block(problem, graph, problem.rank(), inPhase) + shift;
        if (!problem.isRoot() && own >= 0) {
            int left = ring.right(problem.rank(), -graph.skip(inPhase));
            builder.recv(left, blocks.slice(Buffer.OUTPUT, Math.min(own, blocks.size() - 1)));
        }
    }

    private static int block(Problem problem, CirculantGraph graph, int rank, int inPhase) {
        int virtual = new Ring(problem.size()).right(rank, -problem.root());
        return virtual == 0 ? 0 : graph.blocks(virtual)[inPhase];
    }
}

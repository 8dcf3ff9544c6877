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
 * The tensor is cut into one chunk per rank; each chunk travels once around the ring while every rank adds its share,
 * then once more as the result.
 *
 * <p>Source: P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69(2),
 * 2009.
 *
 * <p>On 5 ranks, the chunk that each rank sends to its right neighbour: {@code 2} from its input, {@code 2'} a partial
 * sum, {@code 2*} the result:
 *
 * <pre>
 * step    rank 0  rank 1  rank 2  rank 3  rank 4
 *   0       0       1       2       3       4
 *   1       4'      0'      1'      2'      3'
 *   2       3'      4'      0'      1'      2'
 *   3       2'      3'      4'      0'      1'
 *   4       1*      2*      3*      4*      0*
 *   5       0*      1*      2*      3*      4*
 *   6       4*      0*      1*      2*      3*
 *   7       3*      4*      0*      1*      2*
 * </pre>
 *
 * <p>Steps: 2(p-1). Sent per rank: 2(p-1) messages, 2(p-1)/p of the tensor (rank r sends every chunk twice, but chunks
 * r+1 and r+2 once). Cost: 2(p-1)α + 2(p-1)/p·nβ + (p-1)/p·nγ.
 *
 * <p>Restrictions: commutative operations, as chunk c is summed from rank c onwards around the ring. Any size; where
 * there are fewer elements than ranks, empty chunks still travel, so that every rank hears of every call.
 *
 * <p>Scratch: p-2 buffers of a chunk, all of them pipes, of which a window is kept.
 */
public final class RingAllReduce implements Algorithm {

    @Override
    public Primitive primitive() {
        return Primitive.ALL_REDUCE;
    }

    @Override
    public String name() {
        return "ring";
    }

    @Override
    public Effort effort(Shape shape) {
        return RingReduceScatter.reduceScatter(new Effort.Builder(), shape)
                .exchange(shape.ranks() - 1, shape.share(), shape.ranks())
                .build();
    }

    @Override
    public Schedule schedule(Problem problem) {
        ScheduleBuilder builder = new ScheduleBuilder(name(), problem);
        Blocks chunks = Blocks.spread(problem.count(), problem.size());
        Ring ring = new Ring(problem.size());
        int rank = problem.rank();
        int own = ring.right(rank);
        Slice result = chunks.slice(Buffer.OUTPUT, own);
        RingReduceScatter.reduceScatter(builder, chunks, rank, own, result);
        RingAllGather.allGather(builder, chunks, result, own, rank);
        return builder.build();
    }
}

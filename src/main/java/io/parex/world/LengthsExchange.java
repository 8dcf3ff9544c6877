package io.parex.world;

import io.parex.ParexException;
import io.parex.algorithm.Shape;
import io.parex.planner.Selector;
import io.parex.schedule.Blocks;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import io.parex.tensor.BufferPool;
import io.parex.tensor.DataType;
import io.parex.tensor.PooledBuffer;
import io.parex.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.stream.LongStream;

/**
 * How the ranks tell each other the lengths of blocks where those who get them do not know them: by the plain form of
 * the same primitive, with the length in the place of each block. Owner loop only.
 */
final class LengthsExchange {
    private static final ValueLayout.OfLong LENGTH = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Call call;
    private final Problem problem;
    private final PooledBuffer memory;
    private final MemorySegment given;
    private final MemorySegment taken;

    /**
     * Takes a little memory and writes what this rank knows into it.
     *
     * @throws ParexException of kind overloaded if there is no memory
     */
    LengthsExchange(Call call, int rank, int size, BufferPool pool) {
        this.call = call;
        this.problem = Problem.of(call.primitive().base(), rank, size, size, Math.max(0, call.root()), false);
        long inputBytes = problem.inputLength() * Long.BYTES;
        long outputBytes = problem.outputLength() * Long.BYTES;
        this.memory = pool.acquire(inputBytes + outputBytes);
        this.given = memory.segment().asSlice(0, inputBytes);
        this.taken = memory.segment().asSlice(inputBytes, outputBytes);
        for (int block = 0; block < problem.inputLength(); block++) {
            long length =
                    call.blocks() == null ? call.input().count() : call.blocks().length(block);
            given.setAtIndex(LENGTH, block, length);
        }
    }

    /** The schedule, by the same algorithm on all ranks. */
    Schedule schedule(Selector selector, ScheduleCache schedules) {
        Shape shape = Shape.of(problem.size(), (double) problem.size() * Long.BYTES);
        return schedules.get(selector.select(problem.primitive(), shape, "auto", false), problem);
    }

    /** What this rank tells; null if nothing. */
    TensorStream input() {
        return given.byteSize() == 0 ? null : TensorStream.input(TensorView.of(given, DataType.INT64));
    }

    /** What this rank is told; null if nothing. */
    TensorStream output() {
        return taken.byteSize() == 0 ? null : TensorStream.output(TensorView.of(taken, DataType.INT64));
    }

    /**
     * The call with the lengths that are known now; its output is no longer than what comes.
     *
     * @throws ParexException of kind argument if that is more than the output has room for
     */
    Call known() {
        long[] told = LongStream.range(0, problem.outputLength())
                .map(block -> taken.getAtIndex(LENGTH, block))
                .toArray();
        if (told.length == 0) {
            return call.withBlocks(null);
        }
        Blocks incoming = Call.blocks(told);
        if (call.output().count() < incoming.count()) {
            throw ParexException.argument("the output of rank " + problem.rank() + " has room for "
                    + call.output().count() + " " + call.output().type().label() + ", and " + incoming.count()
                    + " come to it (lengths " + Plan.words(incoming) + ")");
        }
        call.output().shorten(incoming.count());
        return switch (problem.primitive()) {
            case SCATTER -> call.withBlocks(call.blocks());
            case ALL_TO_ALL -> call.withBlocks(call.blocks(), incoming);
            default -> call.withBlocks(incoming);
        };
    }

    /** Gives the memory back. */
    void release() {
        memory.release();
    }
}

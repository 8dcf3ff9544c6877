package io.parex.world;

import io.parex.schedule.Buffer;
import io.parex.schedule.Schedule;
import io.parex.schedule.Slice;
import io.parex.tensor.BufferPool;
import io.parex.tensor.PooledBuffer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory of one call: the caller's streams and the scratch of its schedule, which is taken whole at the start, so
 * that no step ever waits for memory while it holds some. Owner loop only.
 */
final class Buffers {
    private final TensorStream input;
    private final TensorStream output;
    private final int valueWidth;
    private final int partialWidth;
    private final List<PooledBuffer> scratch = new ArrayList<>();

    /**
     * Takes the scratch that {@code schedule} needs.
     *
     * @param partialWidth bytes of an element of a partial result
     * @throws io.parex.ParexException of kind overloaded if there is not enough; nothing is kept then
     */
    Buffers(TensorStream input, TensorStream output, int partialWidth, Schedule schedule, BufferPool pool) {
        this.input = input;
        this.output = output;
        this.valueWidth = input != null
                ? input.type().bytes()
                : output != null ? output.type().bytes() : 1;
        this.partialWidth = partialWidth;
        try {
            for (Schedule.Scratch wanted : schedule.scratch()) {
                scratch.add(pool.acquire(scratchBytes(wanted)));
            }
        } catch (RuntimeException e) {
            release();
            throw e;
        }
    }

    private long scratchBytes(Schedule.Scratch wanted) {
        long bytes = wanted.length() * partialWidth;
        return wanted.pipe() ? Math.min(bytes, Limits.PIPE_BYTES) : bytes;
    }

    /** Elements that fit into scratch buffer {@code index}. */
    long scratchElements(int index) {
        return scratch.get(index).segment().byteSize() / partialWidth;
    }

    /** Where {@code slice} is in memory. */
    Region region(Slice slice) {
        Buffer buffer = slice.buffer();
        return switch (buffer.kind()) {
            case INPUT -> new Region(input == null ? null : input, slice.offset() * valueWidth, valueWidth, false);
            case OUTPUT -> new Region(output, slice.offset() * valueWidth, valueWidth, false);
            case SCRATCH ->
                new Region(
                        circular(scratch.get(buffer.index()).segment()),
                        slice.offset() * partialWidth,
                        partialWidth,
                        partialWidth > 0);
        };
    }

    private static ByteSpace circular(MemorySegment window) {
        return (position, limit) -> {
            long start = window.byteSize() == 0 ? 0 : position % window.byteSize();
            return window.asSlice(start, Math.min(limit, window.byteSize() - start));
        };
    }

    /** Gives the scratch back. */
    void release() {
        scratch.forEach(PooledBuffer::release);
        scratch.clear();
    }
}

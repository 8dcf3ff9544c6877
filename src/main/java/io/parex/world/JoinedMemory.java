package io.parex.world;

import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Several tensors of one type as one, in the order given. Immutable. */
final class JoinedMemory implements ByteSpace {
    private final DataType type;
    private final long[] counts;
    private final MemorySegment[] segments;

    /** Where each segment ends; empty tensors are left out. */
    private final long[] ends;

    private JoinedMemory(DataType type, long[] counts, MemorySegment[] segments, long[] ends) {
        this.type = type;
        this.counts = counts;
        this.segments = segments;
        this.ends = ends;
    }

    /** Joins tensors; none, or several types, are an argument error. */
    static JoinedMemory of(List<TensorView> tensors) {
        if (tensors == null || tensors.isEmpty()) {
            throw ParexException.argument("the list of tensors is missing or empty; nothing was started");
        }
        if (tensors.stream().anyMatch(tensor -> tensor == null)) {
            throw ParexException.argument("a tensor of the list is missing (null); nothing was started");
        }
        DataType type = tensors.getFirst().type();
        for (TensorView tensor : tensors) {
            if (tensor.type() != type) {
                throw ParexException.argument("tensors of one call are of one type, these are " + type.label() + " and "
                        + tensor.type().label() + "; nothing was started");
            }
        }
        MemorySegment[] segments = tensors.stream()
                .map(TensorView::segment)
                .filter(segment -> segment.byteSize() > 0)
                .toArray(MemorySegment[]::new);
        long[] ends = new long[segments.length];
        long end = 0;
        for (int i = 0; i < segments.length; i++) {
            end = Math.addExact(end, segments[i].byteSize());
            ends[i] = end;
        }
        long[] counts = tensors.stream().mapToLong(TensorView::count).toArray();
        return new JoinedMemory(type, counts, segments, ends);
    }

    /**
     * Cuts tensors that hold a block of each rank: the blocks of the first rank, of all tensors, then those of the next
     * one. So joined, what belongs to a rank lies together.
     *
     * @param wholes of {@code size} blocks each
     * @param blocks of one rank, each of the length of a block of its whole
     */
    static List<TensorView> byRank(List<TensorView> wholes, List<TensorView> blocks, int size) {
        of(wholes);
        of(blocks);
        if (wholes.size() != blocks.size()) {
            throw ParexException.argument("lists of " + wholes.size() + " and of " + blocks.size()
                    + " tensors do not belong together; nothing was started");
        }
        for (int i = 0; i < wholes.size(); i++) {
            if (wholes.get(i).count() != size * blocks.get(i).count()) {
                throw ParexException.argument("tensors " + i + " of the lists have "
                        + wholes.get(i).count() + " and " + blocks.get(i).count() + " elements, and not " + size
                        + " blocks and one; nothing was started");
            }
        }
        return IntStream.range(0, size)
                .boxed()
                .flatMap(rank -> IntStream.range(0, wholes.size())
                        .mapToObj(i -> wholes.get(i)
                                .slice(
                                        rank * blocks.get(i).count(),
                                        blocks.get(i).count())))
                .toList();
    }

    /** Elements of each tensor, in order. */
    long[] counts() {
        return counts;
    }

    DataType type() {
        return type;
    }

    long count() {
        return byteSize() / type.bytes();
    }

    long byteSize() {
        return ends.length == 0 ? 0 : ends[ends.length - 1];
    }

    Stream<MemorySegment> segments() {
        return Arrays.stream(segments);
    }

    @Override
    public MemorySegment at(long position, long limit) {
        if (position >= byteSize()) {
            return MemorySegment.NULL;
        }
        int found = Arrays.binarySearch(ends, position + 1);
        int which = found >= 0 ? found : -found - 1;
        long start = position - (which == 0 ? 0 : ends[which - 1]);
        return segments[which].asSlice(start, Math.min(limit, segments[which].byteSize() - start));
    }
}

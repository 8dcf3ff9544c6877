package io.parex.client;

import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** What an operation sends or fills: a tensor, or several of one type as if they lay one after the other. */
final class Memory {
    private final DataType type;
    private final List<MemorySegment> segments;
    private final long[] ends;

    private Memory(DataType type, List<MemorySegment> segments) {
        this.type = type;
        this.segments = segments;
        this.ends = new long[segments.size()];
        long end = 0;
        for (int i = 0; i < ends.length; i++) {
            end = Math.addExact(end, segments.get(i).byteSize());
            ends[i] = end;
        }
    }

    /** Tensors to send. */
    static Memory readable(List<TensorView> tensors) {
        tensors.forEach(Arguments::readable);
        return joined(tensors);
    }

    /** Tensors to fill. */
    static Memory writable(List<TensorView> tensors) {
        tensors.forEach(Arguments::writable);
        return joined(tensors);
    }

    private static Memory joined(List<TensorView> tensors) {
        DataType type = tensors.getFirst().type();
        for (TensorView tensor : tensors) {
            if (tensor.type() != type) {
                throw ParexException.argument("tensors of one call are of one type, these are " + type.label() + " and "
                        + tensor.type().label());
            }
        }
        return new Memory(type, tensors.stream().map(TensorView::segment).toList());
    }

    /** A copy in the heap. */
    static Memory of(byte[] copy, DataType type) {
        return new Memory(type, List.of(MemorySegment.ofArray(copy)));
    }

    DataType type() {
        return type;
    }

    long count() {
        return byteSize() / type.bytes();
    }

    long byteSize() {
        return ends[ends.length - 1];
    }

    /** The memory at byte {@code position}, at most {@code limit} bytes, as far as it is contiguous; not at the end. */
    MemorySegment at(long position, long limit) {
        int which = 0;
        while (ends[which] <= position) {
            which++;
        }
        MemorySegment segment = segments.get(which);
        long start = position - (ends[which] - segment.byteSize());
        return segment.asSlice(start, Math.min(limit, segment.byteSize() - start));
    }

    /** Whether both are the very same memory. */
    boolean isSame(Memory other) {
        return segments.equals(other.segments);
    }

    /** Whether this is the memory of {@code whole} from byte {@code position} on, both being one tensor. */
    boolean isAt(Memory whole, long position) {
        return segments.size() == 1
                && whole.segments.size() == 1
                && position <= whole.byteSize() - byteSize()
                && whole.segments.getFirst().asSlice(position, byteSize()).equals(segments.getFirst());
    }

    boolean overlaps(Memory other) {
        return segments.stream()
                .anyMatch(mine -> other.segments.stream()
                        .anyMatch(theirs -> mine.asOverlappingSlice(theirs).isPresent()));
    }
}

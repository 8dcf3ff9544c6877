package io.parex.world;

import io.parex.ParexException;
import io.parex.tensor.Accessibility;
import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A tensor on its way between one writer and one reader through a window of memory. Byte x of the tensor stands at x
 * modulo the window's size, so that a window as large as the tensor is simply the tensor, and a smaller one bounds the
 * memory of a tensor of any size. An operation reads its input stream and writes its output stream; the other end is
 * the caller's.
 *
 * <p>Threads: one thread at a time writes, one at a time reads; they may differ. Listeners run on the thread of the
 * other side and must only hand over.
 */
public final class TensorStream implements ByteSpace {
    private static final Runnable NOBODY = () -> {};

    private final DataType type;
    private final MemorySegment window;

    /** In place of the window, for several tensors as one; else null. */
    private final JoinedMemory joined;

    private volatile long count;
    private volatile long written;
    private volatile long consumed;
    private volatile Runnable onWritten = NOBODY;
    private volatile Runnable onConsumed = NOBODY;

    private TensorStream(DataType type, long count, MemorySegment window, JoinedMemory joined, long written) {
        this.type = type;
        this.count = count;
        this.window = window;
        this.joined = joined;
        this.written = written;
    }

    /** A stream of {@code count} elements through {@code window}, a whole number of elements, nothing written yet. */
    public static TensorStream through(MemorySegment window, DataType type, long count) {
        long bytes = Math.multiplyExact(count, (long) type.bytes());
        if (window.byteSize() % type.bytes() != 0 || (window.byteSize() == 0 && bytes > 0)) {
            throw ParexException.argument("a window of " + window.byteSize() + " bytes for " + type.label());
        }
        return new TensorStream(type, count, window, null, 0);
    }

    /** The shape of a tensor for which there is no memory: for {@link ProcessGroup#giveUp} only. */
    public static TensorStream unbacked(DataType type, long count) {
        return new TensorStream(type, count, MemorySegment.NULL, null, 0);
    }

    /** All of {@code tensor}, there already: an input. */
    public static TensorStream input(TensorView tensor) {
        requireGiven(tensor);
        return new TensorStream(tensor.type(), tensor.count(), tensor.segment(), null, tensor.byteSize());
    }

    /** Room for all of {@code tensor}, nothing written yet: an output. */
    public static TensorStream output(TensorView tensor) {
        requireGiven(tensor);
        return new TensorStream(tensor.type(), tensor.count(), tensor.segment(), null, 0);
    }

    /** All of {@code tensors}, one or more of one type, there already, as if they lay one after the other: an input. */
    public static TensorStream input(List<TensorView> tensors) {
        JoinedMemory memory = JoinedMemory.of(tensors);
        return new TensorStream(memory.type(), memory.count(), MemorySegment.NULL, memory, memory.byteSize());
    }

    /** Room for all of {@code tensors}, as if they lay one after the other: an output. */
    public static TensorStream output(List<TensorView> tensors) {
        JoinedMemory memory = JoinedMemory.of(tensors);
        return new TensorStream(memory.type(), memory.count(), MemorySegment.NULL, memory, 0);
    }

    private static void requireGiven(TensorView tensor) {
        if (tensor == null) {
            throw ParexException.argument("the tensor is missing (null); nothing was started");
        }
    }

    public DataType type() {
        return type;
    }

    /** Elements of the whole tensor; of an output with open lengths, room for them until they are known. */
    public long count() {
        return count;
    }

    /** The operation knows now how many elements an output has, which was longer, and of which nothing is written. */
    void shorten(long elements) {
        count = elements;
    }

    /** Size of the whole tensor in bytes. */
    public long byteSize() {
        return count * type.bytes();
    }

    /** Whether it is several tensors as one. */
    boolean isJoined() {
        return joined != null;
    }

    /** Whether the window holds the whole tensor. */
    public boolean isWhole() {
        return windowBytes() >= byteSize();
    }

    /** Whether both tensors are whole, and this one is the memory of the other from byte {@code offset} on. */
    boolean isAt(TensorStream other, long offset) {
        if (!isWhole() || !other.isWhole() || offset > other.byteSize() - byteSize()) {
            return false;
        }
        long position = 0;
        while (position < byteSize()) {
            MemorySegment mine = at(position, byteSize() - position);
            MemorySegment theirs = other.at(offset + position, mine.byteSize());
            if (!theirs.equals(mine.asSlice(0, theirs.byteSize()))) {
                return false;
            }
            position += theirs.byteSize();
        }
        return true;
    }

    /** First byte of {@code other} that is this one's memory, if all of it lies there in one piece; else negative. */
    long placeIn(TensorStream other) {
        boolean single = joined == null && other.joined == null && isWhole() && other.isWhole();
        if (!single || window.asOverlappingSlice(other.window).isEmpty()) {
            return -1;
        }
        long offset = window.address() - other.window.address();
        return offset >= 0 && offset <= other.window.byteSize() - window.byteSize() ? offset : -1;
    }

    /** Whether the tensors have a byte in common. */
    boolean overlaps(TensorStream other) {
        return memory().filter(mine -> mine.byteSize() > 0)
                .anyMatch(mine -> other.memory()
                        .filter(theirs -> theirs.byteSize() > 0)
                        .anyMatch(theirs -> mine.asOverlappingSlice(theirs).isPresent()));
    }

    /** Why the operation cannot read the memory, or write it if {@code written}; null if it can. */
    String fault(boolean written) {
        return memory().map(segment -> Accessibility.fault(segment, written))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Of several tensors as one the elements of each; empty for a single one. */
    long[] parts() {
        return joined == null ? new long[0] : joined.counts();
    }

    private Stream<MemorySegment> memory() {
        return joined == null ? Stream.of(window) : joined.segments();
    }

    /** {@inheritDoc} Who may touch the memory is the caller's care. */
    @Override
    public MemorySegment at(long position, long limit) {
        if (joined != null) {
            return joined.at(position, limit);
        }
        long start = isWhole() ? position : position % window.byteSize();
        return window.asSlice(start, Math.min(limit, window.byteSize() - start));
    }

    /** Bytes written so far. */
    public long written() {
        return written;
    }

    /** Bytes consumed so far. */
    public long consumed() {
        return consumed;
    }

    /** First byte that may not be written before the reader has gone on. */
    long writeLimit() {
        return Math.min(byteSize(), consumed + windowBytes());
    }

    long windowBytes() {
        return joined == null ? window.byteSize() : joined.byteSize();
    }

    /** Writer: the contiguous memory to write next; empty if the window is full or all is written. */
    public MemorySegment writable() {
        return at(written, writeLimit() - written);
    }

    /** Writer: {@code bytes} more have been written; tells the reader. */
    public void advanceWritten(long bytes) {
        written += bytes;
        onWritten.run();
    }

    /** Reader: the contiguous memory to read next; empty if nothing is there. */
    public MemorySegment readable() {
        return at(consumed, written - consumed);
    }

    /** Reader: {@code bytes} more have been read, their memory may be reused; tells the writer. */
    public void advanceConsumed(long bytes) {
        consumed += bytes;
        onConsumed.run();
    }

    /** Whether anybody wants to know how far the writer is. */
    boolean isWatched() {
        return onWritten != NOBODY;
    }

    /** Runs after each step of the writer, on the writer's thread. Set before the other side starts. */
    public void onWritten(Runnable listener) {
        onWritten = listener;
    }

    /** Runs after each step of the reader, on the reader's thread. Set before the other side starts. */
    public void onConsumed(Runnable listener) {
        onConsumed = listener;
    }
}

package io.parex.tensor;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * One operation on one element type in a group of known size. Works on runs of elements of two kinds, told apart by
 * {@link Operand#partial()}: <em>values</em> in the tensor's type, and <em>partial results</em> in the accumulator's
 * type, not yet divided. A value that goes into a partial result <em>enters</em> it: it is widened, multiplied if this
 * is PREMUL_SUM, and made 0 or 1 if it is a bool. A partial result that becomes a value is <em>finished</em>: divided
 * once by the number of ranks if this is AVG (integers truncate toward zero), and narrowed (halves are rounded to
 * nearest, ties to even). So each value is multiplied once, and each result is divided and rounded once.
 *
 * <p>Elements are little endian, at any byte offset. A target may be exactly the same memory as an operand of its own
 * kind, and must overlap none otherwise. Native memory that needs neither entering nor finishing is worked on where it
 * lies; all else passes through small tiles of the calling thread. Nothing is allocated per call.
 *
 * <p>Immutable; any thread. Two calls at once must not write the same memory.
 */
public final class Reduction {
    // Unsafe.copyMemory has no safepoint inside; a copy of gigabytes in one piece would hold up the whole JVM.
    private static final long COPY_BYTES = 1 << 20;

    private final DataType type;
    private final DataType partialType;
    private final Kernel kernel;
    private final Conversion enter;
    private final Conversion finish;
    private final boolean changesAlone;

    /**
     * Joins the parts.
     *
     * @param enter null if a value is a partial result as it stands
     * @param finish null if a partial result is a value as it stands
     * @param changesAlone whether a value may differ from the result of reducing it with no other
     */
    Reduction(
            DataType type,
            DataType partialType,
            Kernel kernel,
            Conversion enter,
            Conversion finish,
            boolean changesAlone) {
        this.type = type;
        this.partialType = partialType;
        this.kernel = kernel;
        this.enter = enter;
        this.finish = finish;
        this.changesAlone = changesAlone;
    }

    /** Type of the values. */
    public DataType type() {
        return type;
    }

    /** Type of the partial results; differs from {@link #type()} where sums need more room than values. */
    public DataType partialType() {
        return partialType;
    }

    /**
     * {@code target[i] = left[i] (+) right[i]} for {@code i} in {@code [0, count)}; finished if the target holds
     * values.
     *
     * @param count in elements
     * @throws IndexOutOfBoundsException if an operand has not {@code count} elements; nothing is written then
     */
    public void combine(Operand left, Operand right, Operand target, long count) {
        check(left, count);
        check(right, count);
        check(target, count);
        if (isReady(left) && isReady(right) && takesResult(target)) {
            kernel.apply(
                    left.segment(),
                    left.offset(),
                    right.segment(),
                    right.offset(),
                    target.segment(),
                    target.offset(),
                    count);
            return;
        }
        Tiles tiles = Tiles.ofThread();
        long step = tileElements();
        for (long from = 0; from < count; from += step) {
            combineTile(tiles, left, right, target, from, Math.min(step, count - from));
        }
    }

    /**
     * {@code target[i] = source[i]} for {@code i} in {@code [0, count)}: a value enters a partial result, a partial
     * result is finished to a value, like to like copies the bytes (so a value stays as it is, under AVG too).
     *
     * @param count in elements
     * @throws IndexOutOfBoundsException if an operand has not {@code count} elements; nothing is written then
     */
    public void copy(Operand source, Operand target, long count) {
        check(source, count);
        check(target, count);
        Conversion conversion = conversion(source, target);
        if (conversion == null) {
            copyBytes(source.segment(), source.offset(), target.segment(), target.offset(), count * bytesOf(source));
        } else if (source.segment().isNative() && target.segment().isNative()) {
            conversion.apply(source.segment(), source.offset(), target.segment(), target.offset(), count);
        } else {
            copyTiles(source, target, count);
        }
    }

    /**
     * The reduction among one rank, {@code target[i]} being the result of {@code source[i]} alone: it enters and is
     * finished. That is the bytes as they are, but for PREMUL_SUM, which multiplies, and bool, which becomes 0 or 1.
     *
     * @param source values
     * @param target takes values; may be exactly the same memory
     * @param count in elements
     * @throws IndexOutOfBoundsException if an operand has not {@code count} elements; nothing is written then
     */
    public void alone(Operand source, Operand target, long count) {
        if (source.partial() || target.partial()) {
            throw new IllegalArgumentException("a reduction among one rank takes values and gives values");
        }
        check(source, count);
        check(target, count);
        if (changesAlone) {
            copyTiles(source, target, count);
        } else {
            copyBytes(source.segment(), source.offset(), target.segment(), target.offset(), count * type.bytes());
        }
    }

    private void copyTiles(Operand source, Operand target, long count) {
        Tiles tiles = Tiles.ofThread();
        long step = tileElements();
        for (long from = 0; from < count; from += step) {
            long length = Math.min(step, count - from);
            load(source, from, length, tiles.left(), tiles.raw());
            store(tiles.left(), target, from, length, tiles.raw());
        }
    }

    private void combineTile(Tiles tiles, Operand left, Operand right, Operand target, long from, long length) {
        MemorySegment a = left.segment();
        long aOffset = position(left, from);
        if (!isReady(left)) {
            load(left, from, length, tiles.left(), tiles.raw());
            a = tiles.left();
            aOffset = 0;
        }
        MemorySegment b = right.segment();
        long bOffset = position(right, from);
        if (!isReady(right)) {
            load(right, from, length, tiles.right(), tiles.raw());
            b = tiles.right();
            bOffset = 0;
        }
        if (takesResult(target)) {
            kernel.apply(a, aOffset, b, bOffset, target.segment(), position(target, from), length);
        } else {
            kernel.apply(a, aOffset, b, bOffset, tiles.result(), 0, length);
            store(tiles.result(), target, from, length, tiles.raw());
        }
    }

    /** Brings a stretch of a source into a tile, as partial results. */
    private void load(Operand source, long from, long length, MemorySegment tile, MemorySegment raw) {
        MemorySegment segment = source.segment();
        long offset = position(source, from);
        long bytes = length * bytesOf(source);
        if (source.partial() || enter == null) {
            MemorySegment.copy(segment, offset, tile, 0, bytes);
        } else if (segment.isNative()) {
            enter.apply(segment, offset, tile, 0, length);
        } else {
            MemorySegment.copy(segment, offset, raw, 0, bytes);
            enter.apply(raw, 0, tile, 0, length);
        }
    }

    /** Brings a tile of partial results into a stretch of the target, as what it holds. */
    private void store(MemorySegment tile, Operand target, long from, long length, MemorySegment raw) {
        MemorySegment segment = target.segment();
        long offset = position(target, from);
        long bytes = length * bytesOf(target);
        if (target.partial() || finish == null) {
            MemorySegment.copy(tile, 0, segment, offset, bytes);
        } else if (segment.isNative()) {
            finish.apply(tile, 0, segment, offset, length);
        } else {
            finish.apply(tile, 0, raw, 0, length);
            MemorySegment.copy(raw, 0, segment, offset, bytes);
        }
    }

    private Conversion conversion(Operand source, Operand target) {
        if (source.partial() == target.partial()) {
            return null;
        }
        return source.partial() ? finish : enter;
    }

    /** Whether a kernel can read this operand where it lies. Why not from the heap: see {@link Kernel}. */
    private boolean isReady(Operand source) {
        return source.segment().isNative() && (source.partial() || enter == null);
    }

    private boolean takesResult(Operand target) {
        return target.segment().isNative() && (target.partial() || finish == null);
    }

    private long position(Operand operand, long element) {
        return operand.offset() + element * bytesOf(operand);
    }

    private int bytesOf(Operand operand) {
        return (operand.partial() ? partialType : type).bytes();
    }

    private long tileElements() {
        return Tiles.BYTES / partialType.bytes();
    }

    private void check(Operand operand, long count) {
        long bytes = Math.multiplyExact(count, bytesOf(operand));
        Objects.checkFromIndexSize(operand.offset(), bytes, operand.segment().byteSize());
    }

    private static void copyBytes(
            MemorySegment source, long sourceAt, MemorySegment target, long targetAt, long bytes) {
        for (long done = 0; done < bytes; done += COPY_BYTES) {
            MemorySegment.copy(source, sourceAt + done, target, targetAt + done, Math.min(COPY_BYTES, bytes - done));
        }
    }
}

package io.parex.tensor;

import io.parex.ParexException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A contiguous run of elements in memory that somebody else owns: {@code count} elements of {@code type}, little
 * endian, from the first byte of {@code segment}, unaligned. Immutable; says nothing about who may write the memory and
 * when.
 *
 * @param segment exactly {@code count * type.bytes()} bytes, native or heap ({@code byte[]}), accessible from any
 *     thread
 * @param type element type
 * @param count number of elements, 0 or more, 64 bit
 */
public record TensorView(MemorySegment segment, DataType type, long count) {

    public TensorView {
        Objects.requireNonNull(segment);
        Objects.requireNonNull(type);
        if (count < 0 || count > Long.MAX_VALUE / type.bytes()) {
            throw ParexException.argument("count " + count + " of " + type.label() + " is out of range");
        }
        if (segment.byteSize() != count * type.bytes()) {
            throw ParexException.argument("a tensor of " + count + " " + type.label() + " needs " + count * type.bytes()
                    + " bytes, the memory given has " + segment.byteSize());
        }
    }

    /** All of {@code segment} as elements of {@code type}; its size must be a multiple of the element size. */
    public static TensorView of(MemorySegment segment, DataType type) {
        if (segment.byteSize() % type.bytes() != 0) {
            throw ParexException.argument(
                    segment.byteSize() + " bytes are not a whole number of " + type.label() + " elements");
        }
        return new TensorView(segment, type, segment.byteSize() / type.bytes());
    }

    /** Elements {@code [from, from + length)} of this tensor, sharing its memory. */
    public TensorView slice(long from, long length) {
        if (from < 0 || length < 0 || from > count - length) {
            throw ParexException.argument(
                    "elements [" + from + ", " + (from + length) + ") are outside a tensor of " + count);
        }
        return new TensorView(segment.asSlice(from * type.bytes(), length * type.bytes()), type, length);
    }

    /** Size in bytes. */
    public long byteSize() {
        return segment.byteSize();
    }
}

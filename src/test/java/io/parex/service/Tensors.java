package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongUnaryOperator;

/** Tensors of the tests: native memory that the garbage collector frees, values that are exact in their type. */
final class Tensors {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

    private Tensors() {}

    static TensorView empty(DataType type, long count) {
        return new TensorView(Arena.ofAuto().allocate(count * type.bytes()), type, count);
    }

    /** int32 elements, each by its index. */
    static TensorView ints(long count, LongUnaryOperator value) {
        TensorView tensor = empty(DataType.INT32, count);
        for (long i = 0; i < count; i++) {
            tensor.segment().set(INT, 4 * i, (int) value.applyAsLong(i));
        }
        return tensor;
    }

    /** float32 elements, each by its index. */
    static TensorView floats(long count, LongUnaryOperator value) {
        TensorView tensor = empty(DataType.FLOAT32, count);
        for (long i = 0; i < count; i++) {
            tensor.segment().set(FLOAT, 4 * i, value.applyAsLong(i));
        }
        return tensor;
    }

    static int[] ints(TensorView tensor) {
        return tensor.segment().toArray(INT);
    }

    static void assertSame(TensorView expected, TensorView actual) {
        assertEquals(expected.byteSize(), actual.byteSize());
        assertEquals(
                -1,
                MemorySegment.mismatch(
                        expected.segment(), 0, expected.byteSize(), actual.segment(), 0, actual.byteSize()));
    }
}

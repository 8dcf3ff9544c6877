package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.function.LongToDoubleFunction;
import java.util.stream.LongStream;

/** Small tensors for tests, in memory that the garbage collector frees. */
final class Tensors {
    private Tensors() {}

    static TensorView ints(int... values) {
        TensorView tensor = zeros(DataType.INT32, values.length);
        tensor.segment().copyFrom(MemorySegment.ofArray(values));
        return tensor;
    }

    static TensorView floats(float... values) {
        TensorView tensor = zeros(DataType.FLOAT32, values.length);
        tensor.segment().copyFrom(MemorySegment.ofArray(values));
        return tensor;
    }

    static TensorView longs(long... values) {
        TensorView tensor = zeros(DataType.INT64, values.length);
        tensor.segment().copyFrom(MemorySegment.ofArray(values));
        return tensor;
    }

    /** A tensor of values that the type holds. */
    static TensorView of(DataType type, double... values) {
        return filled(type, values.length, i -> values[(int) i]);
    }

    static TensorView zeros(DataType type, long count) {
        return new TensorView(memory(count * type.bytes()), type, count);
    }

    /** A tensor whose element i is {@code value(i)}. */
    static TensorView filled(DataType type, long count, LongToDoubleFunction value) {
        TensorView tensor = zeros(type, count);
        for (long i = 0; i < count; i++) {
            set(tensor, i, value.applyAsDouble(i));
        }
        return tensor;
    }

    /** Bytes that differ from those of other seeds and that no shift leaves the same. */
    static TensorView pattern(long bytes, long seed) {
        TensorView tensor = zeros(DataType.UINT8, bytes);
        SplittableRandom random = new SplittableRandom(seed);
        for (long i = 0; i < bytes; i++) {
            tensor.segment().set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
        }
        return tensor;
    }

    /** A copy in memory of its own. */
    static TensorView copy(TensorView tensor) {
        TensorView copy = zeros(tensor.type(), tensor.count());
        copy.segment().copyFrom(tensor.segment());
        return copy;
    }

    /** Fails, naming {@code what}, unless both hold the same bits. */
    static void assertSame(TensorView expected, TensorView actual, String what) {
        long difference = expected.segment().mismatch(actual.segment());
        assertEquals(-1, difference, () -> what + ": byte " + difference + " of " + expected.byteSize() + " differs");
    }

    private static MemorySegment memory(long bytes) {
        return Arena.ofAuto().allocate(Math.max(1, bytes), 64).asSlice(0, bytes);
    }

    static void set(TensorView tensor, long index, double value) {
        MemorySegment memory = tensor.segment();
        switch (tensor.type()) {
            case BOOL, UINT8, INT8 -> memory.set(ValueLayout.JAVA_BYTE, index, (byte) value);
            case INT16 -> memory.setAtIndex(ValueLayout.JAVA_SHORT, index, (short) value);
            case FLOAT16 -> memory.setAtIndex(ValueLayout.JAVA_SHORT, index, Float.floatToFloat16((float) value));
            // Of values that it holds.
            case BFLOAT16 ->
                memory.setAtIndex(ValueLayout.JAVA_SHORT, index, (short) (Float.floatToIntBits((float) value) >>> 16));
            case INT32 -> memory.setAtIndex(ValueLayout.JAVA_INT, index, (int) value);
            case INT64 -> memory.setAtIndex(ValueLayout.JAVA_LONG, index, (long) value);
            case FLOAT32 -> memory.setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) value);
            case FLOAT64 -> memory.setAtIndex(ValueLayout.JAVA_DOUBLE, index, value);
            default -> throw new IllegalArgumentException(tensor.type().label());
        }
    }

    static double get(TensorView tensor, long index) {
        MemorySegment memory = tensor.segment();
        return switch (tensor.type()) {
            case INT32 -> memory.getAtIndex(ValueLayout.JAVA_INT, index);
            case INT64 -> memory.getAtIndex(ValueLayout.JAVA_LONG, index);
            case FLOAT32 -> memory.getAtIndex(ValueLayout.JAVA_FLOAT, index);
            case FLOAT64 -> memory.getAtIndex(ValueLayout.JAVA_DOUBLE, index);
            default -> throw new IllegalArgumentException(tensor.type().label());
        };
    }

    /** All elements; exact for the small numbers of tests. */
    static double[] values(TensorView tensor) {
        return LongStream.range(0, tensor.count())
                .mapToDouble(i -> get(tensor, i))
                .toArray();
    }

    static int[] intValues(TensorView tensor) {
        return tensor.segment().toArray(ValueLayout.JAVA_INT);
    }

    /** The bits, for comparisons that must be exact. */
    static byte[] bytes(TensorView tensor) {
        return tensor.segment().toArray(ValueLayout.JAVA_BYTE);
    }
}

package io.parex.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Widening and finishing, of both kinds of kernels, against Java's own division and conversion. */
class ConversionTest {
    private static final int[] DIVISORS = {1, 2, 3, 7, 1000};
    private static final int[] OFFSETS = {0, 1, 5};

    static Stream<KernelProvider> providers() {
        return Stream.of(new ScalarKernels(), new VectorKernels());
    }

    @ParameterizedTest
    @MethodSource("providers")
    void shouldDivideAllLengthsAtUnalignedOffsets(KernelProvider provider) {
        for (DataType type : List.of(DataType.INT64, DataType.FLOAT32, DataType.FLOAT64)) {
            for (int divisor : DIVISORS) {
                Conversion finish = provider.finish(type, type, divisor);
                for (int length = 0; length <= 3 * 64 / type.bytes(); length++) {
                    List<Number> sums = Elements.mixed(type, length, length);
                    List<Number> expected = sums.stream()
                            .map(sum -> divided(type, sum, divisor))
                            .toList();
                    for (int offset : OFFSETS) {
                        assertEquals(expected, run(finish, type, sums, offset, type), length + " / " + divisor);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void shouldTruncateAveragesOfIntegersTowardZero(KernelProvider provider) {
        Conversion half = provider.finish(DataType.INT64, DataType.INT32, 2);
        assertEquals(
                List.of(-3, 3, 0, 0, -1), run(half, DataType.INT64, List.of(-7L, 7L, -1L, 1L, -2L), 1, DataType.INT32));
        Conversion wide = provider.finish(DataType.INT64, DataType.INT64, 4);
        assertEquals(
                List.of(-1L, 1L, 0L, Long.MIN_VALUE / 4),
                run(wide, DataType.INT64, List.of(-7L, 7L, -3L, Long.MIN_VALUE), 3, DataType.INT64));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void shouldWidenInt32WithItsSign(KernelProvider provider) {
        Conversion widen = provider.widen(DataType.INT32, DataType.INT64);
        List<Number> values = Elements.mixed(DataType.INT32, 100, 5);
        List<Number> expected = values.stream().<Number>map(Number::longValue).toList();
        assertEquals(expected, run(widen, DataType.INT32, values, 1, DataType.INT64));
    }

    @Test
    void shouldRoundADividedSumOnce() {
        Conversion third = new VectorKernels().finish(DataType.FLOAT32, DataType.FLOAT32, 3);
        assertEquals(List.of(1f / 3), run(third, DataType.FLOAT32, List.of(1f), 0, DataType.FLOAT32));
    }

    private static Number divided(DataType type, Number sum, int divisor) {
        return switch (type) {
            case INT64 -> sum.longValue() / divisor;
            case FLOAT32 -> sum.floatValue() / divisor;
            case FLOAT64 -> sum.doubleValue() / divisor;
            default -> throw new AssertionError(type);
        };
    }

    private static List<Number> run(
            Conversion conversion, DataType from, List<? extends Number> values, int offset, DataType to) {
        try (Arena arena = Arena.ofConfined()) {
            long count = values.size();
            MemorySegment source = arena.allocate(offset + count * from.bytes());
            MemorySegment target = arena.allocate(offset + 2 + count * to.bytes());
            Elements.put(source, offset, from, values);
            conversion.apply(source, offset, target, offset + 2, count);
            return Elements.get(target, offset + 2, to, count);
        }
    }
}

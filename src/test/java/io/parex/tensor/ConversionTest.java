package io.parex.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Widening, multiplying and finishing, of both kinds of kernels, against Java's own arithmetic and conversion. */
class ConversionTest {
    private static final int[] DIVISORS = {1, 2, 3, 7, 1000};
    private static final double[] FACTORS = {1, 0.5, -3, 1.0 / 3, 0, -0.0, 1e-30};
    private static final int[] OFFSETS = {0, 1, 5};
    private static final int WIDEST_VECTOR_BYTES = 64;

    static Stream<KernelProvider> providers() {
        return Stream.of(new ScalarKernels(), new VectorKernels());
    }

    /** Types and those in which they are averaged. */
    static Stream<Arguments> averages() {
        return providers()
                .flatMap(provider -> Elements.COMPUTED.stream()
                        .filter(type -> type != DataType.BOOL)
                        .map(type -> Arguments.of(provider.description(), type, accumulator(type), provider)));
    }

    private static DataType accumulator(DataType type) {
        return switch (type) {
            case UINT8, INT8, INT16, INT32 -> DataType.INT64;
            case FLOAT16, BFLOAT16 -> DataType.FLOAT32;
            default -> type;
        };
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("averages")
    void shouldDivideAllLengthsAtUnalignedOffsets(
            String name, DataType type, DataType partial, KernelProvider provider) {
        for (int divisor : DIVISORS) {
            Conversion finish = provider.finish(partial, type, divisor);
            for (int length = 0; length <= 3 * WIDEST_VECTOR_BYTES / type.bytes(); length++) {
                List<Number> sums = Elements.mixed(partial, length, length);
                List<Number> expected = sums.stream()
                        .map(sum -> Elements.as(type, Arithmetic.divided(partial, sum, divisor)))
                        .toList();
                for (int offset : OFFSETS) {
                    assertEquals(expected, run(finish, partial, sums, offset, type), length + " / " + divisor);
                }
            }
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("averages")
    void shouldWidenAllLengthsAtUnalignedOffsets(
            String name, DataType type, DataType partial, KernelProvider provider) {
        if (partial == type) {
            assertThrows(IllegalArgumentException.class, () -> provider.widen(type, partial));
            return;
        }
        Conversion widen = provider.widen(type, partial);
        for (int length = 0; length <= 3 * WIDEST_VECTOR_BYTES / type.bytes(); length++) {
            List<Number> values = Elements.mixed(type, length, length);
            for (int offset : OFFSETS) {
                assertEquals(Elements.as(partial, values), run(widen, type, values, offset, partial));
            }
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("averages")
    void shouldMultiplyAllLengthsAtUnalignedOffsets(
            String name, DataType type, DataType partial, KernelProvider provider) {
        if (partial == DataType.INT64) {
            assertThrows(IllegalArgumentException.class, () -> provider.scale(type, partial, 2));
            return;
        }
        for (double factor : FACTORS) {
            Conversion scale = provider.scale(type, partial, factor);
            for (int length = 0; length <= 3 * WIDEST_VECTOR_BYTES / type.bytes(); length++) {
                List<Number> values = Elements.mixed(type, length, length);
                List<Number> expected = values.stream()
                        .map(value -> Arithmetic.scaled(partial, value, factor))
                        .toList();
                for (int offset : OFFSETS) {
                    assertEquals(expected, run(scale, type, values, offset, partial), length + " * " + factor);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void shouldTakeAnyByteButZeroForTrue(KernelProvider provider) {
        Conversion truth = provider.widen(DataType.BOOL, DataType.BOOL);
        for (int length = 0; length <= 256; length++) {
            List<Integer> bytes = IntStream.range(256 - length, 256).boxed().toList();
            List<Integer> expected =
                    bytes.stream().map(value -> value == 0 ? 0 : 1).toList();
            for (int offset : OFFSETS) {
                assertEquals(expected, run(truth, DataType.UINT8, bytes, offset, DataType.UINT8));
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
        Conversion unsigned = provider.finish(DataType.INT64, DataType.UINT8, 2);
        assertEquals(List.of(255, 127), run(unsigned, DataType.INT64, List.of(511L, 255L), 1, DataType.UINT8));
    }

    @Test
    void shouldRoundADividedSumOnce() {
        Conversion third = new VectorKernels().finish(DataType.FLOAT32, DataType.FLOAT32, 3);
        assertEquals(List.of(1f / 3), run(third, DataType.FLOAT32, List.of(1f), 0, DataType.FLOAT32));
    }

    /** Runs the conversion into fresh memory, checking that nothing beside the target changes. */
    private static List<Number> run(
            Conversion conversion, DataType from, List<? extends Number> values, int offset, DataType to) {
        try (Arena arena = Arena.ofConfined()) {
            long count = values.size();
            long at = offset + 2;
            long end = at + count * to.bytes();
            MemorySegment source = arena.allocate(offset + count * from.bytes());
            MemorySegment target = arena.allocate(end + WIDEST_VECTOR_BYTES).fill((byte) 0x5A);
            Elements.put(source, offset, from, values);
            conversion.apply(source, offset, target, at, count);
            assertEquals(0x5A, target.get(ValueLayout.JAVA_BYTE, at - 1));
            assertEquals(0x5A, target.get(ValueLayout.JAVA_BYTE, end));
            return Elements.get(target, at, to, count);
        }
    }
}

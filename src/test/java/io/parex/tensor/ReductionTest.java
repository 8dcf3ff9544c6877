package io.parex.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values and partial results, on and off the heap, in every combination and across the borders of the tiles. */
class ReductionTest {
    private static final int RANKS = 3;
    private static final boolean[] BOTH = {false, true};

    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void freeMemory() {
        arena.close();
    }

    static Stream<Arguments> reductions() {
        return Stream.of(new ScalarKernels(), new VectorKernels())
                .flatMap(kernels -> Elements.COMPUTED.stream()
                        .flatMap(type -> Stream.of(ReduceOp.values())
                                .filter(op -> Reductions.supports(type, op))
                                .map(op -> Arguments.of(
                                        kernels.description(), type, op, Reductions.of(type, op, RANKS, kernels)))));
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("reductions")
    void shouldCombineValuesAndPartialsWhereverTheyLie(String name, DataType type, ReduceOp op, Reduction reduction) {
        int tile = (int) Tiles.BYTES / reduction.partialType().bytes();
        for (int count : new int[] {0, 1, tile, 2 * tile + 5}) {
            List<Number> left = Elements.mixed(type, count, 1);
            List<Number> right = Elements.mixed(type, count, 2);
            List<Number> values = expected(reduction, op, left, right, false);
            List<Number> partials = expected(reduction, op, left, right, true);
            for (int kinds = 0; kinds < 64; kinds++) {
                Operand a = operand(reduction, left, kinds % 2 == 1, kinds / 2 % 2 == 1);
                Operand b = operand(reduction, right, kinds / 4 % 2 == 1, kinds / 8 % 2 == 1);
                Operand target = operand(reduction, left, kinds / 16 % 2 == 1, kinds / 32 == 1);
                reduction.combine(a, b, target, count);
                List<Number> expected = target.partial() ? partials : values;
                assertEquals(expected, read(reduction, target, count), "operands " + kinds + ", count " + count);
            }
        }
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("reductions")
    void shouldCopyWidenAndFinishWhereverTheyLie(String name, DataType type, ReduceOp op, Reduction reduction) {
        int count = 2 * (int) Tiles.BYTES / reduction.partialType().bytes() + 3;
        List<Number> values = Elements.mixed(type, count, 7);
        for (int kinds = 0; kinds < 16; kinds++) {
            Operand source = operand(reduction, values, kinds % 2 == 1, kinds / 2 % 2 == 1);
            Operand target = operand(reduction, List.of(), count, kinds / 4 % 2 == 1, kinds / 8 == 1);
            reduction.copy(source, target, count);
            List<Number> expected = !source.partial() || target.partial()
                    ? as(target.partial() ? reduction.partialType() : type, values)
                    : finished(reduction, op, values);
            assertEquals(expected, read(reduction, target, count), "operands " + kinds);
        }
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("reductions")
    void shouldAllowTheTargetToBeAnOperandOfItsKind(String name, DataType type, ReduceOp op, Reduction reduction) {
        int count = 2 * (int) Tiles.BYTES / reduction.partialType().bytes() + 3;
        List<Number> left = Elements.mixed(type, count, 3);
        List<Number> right = Elements.mixed(type, count, 4);
        for (boolean partial : BOTH) {
            for (boolean heap : BOTH) {
                Operand a = operand(reduction, left, partial, heap);
                Operand b = operand(reduction, right, partial, heap);
                reduction.combine(a, b, b, count);
                assertEquals(expected(reduction, op, left, right, partial), read(reduction, b, count));
                Operand c = operand(reduction, right, partial, heap);
                reduction.combine(a, c, a, count);
                assertEquals(expected(reduction, op, left, right, partial), read(reduction, a, count));
            }
        }
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("reductions")
    void shouldRefuseShortOperandsBeforeWriting(String name, DataType type, ReduceOp op, Reduction reduction) {
        List<Number> values = Elements.mixed(type, 2000, 9);
        Operand full = operand(reduction, values, false, false);
        Operand target = operand(reduction, values, false, false);
        Operand tooShort = operand(reduction, values.subList(0, 1999), false, false);
        assertThrows(IndexOutOfBoundsException.class, () -> reduction.combine(full, tooShort, target, 2000));
        assertThrows(IndexOutOfBoundsException.class, () -> reduction.combine(full, full, tooShort, 2000));
        assertThrows(IndexOutOfBoundsException.class, () -> reduction.copy(tooShort, target, 2000));
        assertThrows(IndexOutOfBoundsException.class, () -> reduction.combine(full, full, target, -1));
        assertThrows(ArithmeticException.class, () -> reduction.combine(full, full, target, Long.MAX_VALUE / 2));
        assertEquals(values, read(reduction, target, 2000));
    }

    @Test
    void shouldAverageInt32WhoseSumLeavesInt32() {
        Reduction average = Reductions.of(DataType.INT32, ReduceOp.AVG, 3);
        List<Number> most = List.of(Integer.MAX_VALUE, Integer.MIN_VALUE, -4);
        Operand input = operand(average, most, false, false);
        Operand scratch = operand(average, List.of(), 3, true, false);
        average.combine(input, input, scratch, 3);
        average.combine(scratch, input, input, 3);
        assertEquals(most, read(average, input, 3));
    }

    @Test
    void shouldLeaveAnAverageOfOneRankAsItIs() {
        for (DataType type : Elements.COMPUTED) {
            Reduction average = Reductions.of(type, ReduceOp.AVG, 1);
            Operand input = operand(average, List.of(1, 2, 3), false, false);
            Operand output = operand(average, List.of(), 3, false, false);
            average.copy(input, output, 3);
            assertEquals(as(type, List.of(1, 2, 3)), read(average, output, 3));
        }
    }

    private List<Number> expected(
            Reduction reduction, ReduceOp op, List<Number> left, List<Number> right, boolean partial) {
        DataType type = reduction.partialType();
        ReduceOp combining = op == ReduceOp.AVG ? ReduceOp.SUM : op;
        List<Number> partials = Elements.combined(type, combining, as(type, left), as(type, right));
        return partial ? partials : finished(reduction, op, partials);
    }

    private static List<Number> finished(Reduction reduction, ReduceOp op, List<Number> partials) {
        return op != ReduceOp.AVG
                ? partials
                : as(
                        reduction.type(),
                        partials.stream()
                                .<Number>map(sum -> switch (reduction.partialType()) {
                                    case FLOAT32 -> sum.floatValue() / RANKS;
                                    case FLOAT64 -> sum.doubleValue() / RANKS;
                                    default -> sum.longValue() / RANKS;
                                })
                                .toList());
    }

    private static List<Number> as(DataType type, List<? extends Number> values) {
        List<Number> converted = new ArrayList<>();
        for (Number value : values) {
            converted.add(
                    switch (type) {
                        case INT32 -> value.intValue();
                        case INT64 -> value.longValue();
                        case FLOAT32 -> value.floatValue();
                        case FLOAT64 -> value.doubleValue();
                        default -> throw new AssertionError(type);
                    });
        }
        return converted;
    }

    private Operand operand(Reduction reduction, List<? extends Number> values, boolean partial, boolean heap) {
        return operand(reduction, values, values.size(), partial, heap);
    }

    private Operand operand(
            Reduction reduction, List<? extends Number> values, int count, boolean partial, boolean heap) {
        DataType type = partial ? reduction.partialType() : reduction.type();
        long offset = partial ? 3 : 1;
        long bytes = offset + (long) count * type.bytes();
        MemorySegment segment = heap ? MemorySegment.ofArray(new byte[(int) bytes]) : arena.allocate(bytes);
        Elements.put(segment, offset, type, values);
        return new Operand(segment, offset, partial);
    }

    private static List<Number> read(Reduction reduction, Operand operand, int count) {
        DataType type = operand.partial() ? reduction.partialType() : reduction.type();
        return Elements.get(operand.segment(), operand.offset(), type, count);
    }
}

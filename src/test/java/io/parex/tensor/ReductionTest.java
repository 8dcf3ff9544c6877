package io.parex.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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
    private static final double FACTOR = 0.3;
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
                                .map(op ->
                                        Arguments.of(kernels.description(), type, op, reduction(type, op, kernels)))));
    }

    private static Reduction reduction(DataType type, ReduceOp op, KernelProvider kernels) {
        return Reductions.of(type, op, RANKS, op == ReduceOp.PREMUL_SUM ? FACTOR : 1, kernels);
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("reductions")
    void shouldCombineValuesAndPartialsWhereverTheyLie(String name, DataType type, ReduceOp op, Reduction reduction) {
        int tile = (int) Tiles.BYTES / reduction.partialType().bytes();
        for (int count : new int[] {0, 1, tile + 5}) {
            List<Number> left = Elements.mixed(type, count, 1);
            List<Number> right = Elements.mixed(type, count, 2);
            for (int kinds = 0; kinds < 4; kinds++) {
                combine(reduction, op, left, right, kinds % 2 == 1, kinds / 2 == 1);
            }
        }
    }

    private void combine(
            Reduction reduction,
            ReduceOp op,
            List<Number> left,
            List<Number> right,
            boolean leftPartial,
            boolean rightPartial) {
        List<Number> partials = combined(
                reduction, op, entered(reduction, op, left, leftPartial), entered(reduction, op, right, rightPartial));
        List<Number> values = finished(reduction, op, partials);
        int count = left.size();
        for (int kinds = 0; kinds < 16; kinds++) {
            Operand a = operand(reduction, left, leftPartial, kinds % 2 == 1);
            Operand b = operand(reduction, right, rightPartial, kinds / 2 % 2 == 1);
            Operand target = operand(reduction, List.of(), count, kinds / 4 % 2 == 1, kinds / 8 == 1);
            reduction.combine(a, b, target, count);
            List<Number> expected = target.partial() ? partials : values;
            assertEquals(expected, read(reduction, target, count), a + ", " + b + ", " + target + ", count " + count);
        }
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("reductions")
    void shouldCopyWidenAndFinishWhereverTheyLie(String name, DataType type, ReduceOp op, Reduction reduction) {
        int count = 2 * (int) Tiles.BYTES / reduction.partialType().bytes();
        List<Number> values = Elements.mixed(type, count, 7);
        List<Number> partials = Elements.as(reduction.partialType(), values);
        for (int kinds = 0; kinds < 16; kinds++) {
            Operand source = operand(reduction, values, kinds % 2 == 1, kinds / 2 % 2 == 1);
            Operand target = operand(reduction, List.of(), count, kinds / 4 % 2 == 1, kinds / 8 == 1);
            reduction.copy(source, target, count);
            List<Number> expected = source.partial() == target.partial()
                    ? values
                    : source.partial() ? finished(reduction, op, partials) : entered(reduction, op, values, false);
            expected = Elements.as(target.partial() ? reduction.partialType() : type, expected);
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
            List<Number> combined = combined(
                    reduction, op, entered(reduction, op, left, partial), entered(reduction, op, right, partial));
            List<Number> expected = partial ? combined : finished(reduction, op, combined);
            for (boolean heap : BOTH) {
                Operand a = operand(reduction, left, partial, heap);
                Operand b = operand(reduction, right, partial, heap);
                reduction.combine(a, b, b, count);
                assertEquals(expected, read(reduction, b, count));
                Operand c = operand(reduction, right, partial, heap);
                reduction.combine(a, c, a, count);
                assertEquals(expected, read(reduction, a, count));
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
        Class<? extends Exception> overflow =
                type.bytes() > 2 ? ArithmeticException.class : IndexOutOfBoundsException.class;
        assertThrows(overflow, () -> reduction.combine(full, full, target, Long.MAX_VALUE / 2));
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

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("reductions")
    void shouldGiveTheResultOfOneRankAlone(String name, DataType type, ReduceOp op, Reduction reduction) {
        int count = 2 * (int) Tiles.BYTES / reduction.partialType().bytes() + 3;
        List<Number> values = Elements.mixed(type, count, 8);
        List<Number> entered = entered(reduction, op, values, false);
        List<Number> expected = op == ReduceOp.PREMUL_SUM ? finished(reduction, op, entered) : values;
        for (int kinds = 0; kinds < 4; kinds++) {
            Operand source = operand(reduction, values, false, kinds % 2 == 1);
            Operand target = operand(reduction, List.of(), count, false, kinds / 2 == 1);
            reduction.alone(source, target, count);
            assertEquals(expected, read(reduction, target, count), "operands " + kinds);
            assertEquals(values, read(reduction, source, count), "operands " + kinds);
            reduction.alone(source, source, count);
            assertEquals(expected, read(reduction, source, count), "in place, operands " + kinds);
        }
        Operand partial = operand(reduction, List.of(), count, true, false);
        Operand value = operand(reduction, List.of(), count, false, false);
        assertThrows(IllegalArgumentException.class, () -> reduction.alone(partial, value, count));
        assertThrows(IllegalArgumentException.class, () -> reduction.alone(value, partial, count));
        assertThrows(IndexOutOfBoundsException.class, () -> reduction.alone(value, value, count + 1));
    }

    @Test
    void shouldLeaveAnAverageOfOneRankAsItIs() {
        for (DataType type : Elements.COMPUTED) {
            if (Reductions.supports(type, ReduceOp.AVG)) {
                Reduction average = Reductions.of(type, ReduceOp.AVG, 1);
                List<Number> values = Elements.as(type, List.of(1, 2, 3));
                Operand input = operand(average, values, false, false);
                Operand output = operand(average, List.of(), 3, false, false);
                average.copy(input, output, 3);
                assertEquals(values, read(average, output, 3));
            }
        }
    }

    /** What operands become as partial results, combined. */
    private static List<Number> combined(Reduction reduction, ReduceOp op, List<Number> left, List<Number> right) {
        ReduceOp combining = op == ReduceOp.AVG || op == ReduceOp.PREMUL_SUM ? ReduceOp.SUM : op;
        return Arithmetic.combined(reduction.partialType(), combining, left, right);
    }

    private static List<Number> entered(
            Reduction reduction, ReduceOp op, List<? extends Number> values, boolean partial) {
        DataType type = reduction.partialType();
        return Elements.as(type, values).stream()
                .map(value -> partial || op != ReduceOp.PREMUL_SUM ? value : Arithmetic.scaled(type, value, FACTOR))
                .toList();
    }

    private static List<Number> finished(Reduction reduction, ReduceOp op, List<Number> partials) {
        return Elements.as(
                reduction.type(),
                partials.stream()
                        .map(sum -> op == ReduceOp.AVG ? Arithmetic.divided(reduction.partialType(), sum, RANKS) : sum)
                        .toList());
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

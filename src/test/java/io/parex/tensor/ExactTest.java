package io.parex.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every cell of the table against arithmetic without limits, rounded or wrapped at the end. Values of floating types
 * are such that nothing is rounded on the way, in whatever order ranks are combined: small multiples of a quarter.
 */
class ExactTest {
    private static final int COUNT = 211;
    private static final double FACTOR = -0.75;
    private static final BigDecimal QUARTER = new BigDecimal("0.25");

    static Stream<Arguments> cells() {
        return Stream.of(new ScalarKernels(), new VectorKernels())
                .flatMap(kernels -> Elements.COMPUTED.stream()
                        .filter(type -> type != DataType.BOOL)
                        .flatMap(type -> Reductions.operations(type).stream()
                                .map(op -> Arguments.of(kernels.description(), type, op, kernels))));
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("cells")
    void shouldGiveTheExactResultRoundedOnce(String name, DataType type, ReduceOp op, KernelProvider kernels) {
        int parts = type.name().startsWith("COMPLEX") ? 2 : 1;
        DataType part = parts == 1 ? type : type == DataType.COMPLEX64 ? DataType.FLOAT32 : DataType.FLOAT64;
        for (int ranks : new int[] {2, 3, 8}) {
            Reduction reduction = Reductions.of(type, op, ranks, op == ReduceOp.PREMUL_SUM ? FACTOR : 1, kernels);
            Random random = new Random(ranks);
            List<List<BigDecimal>> inputs = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                inputs.add(Stream.generate(() -> value(part, random))
                        .limit((long) COUNT * parts)
                        .toList());
            }
            List<Number> expected = new ArrayList<>();
            for (int i = 0; i < COUNT * parts; i++) {
                int at = i;
                List<BigDecimal> values =
                        inputs.stream().map(input -> input.get(at)).toList();
                expected.add(stored(part, exact(part, op, values)));
            }
            assertEquals(expected, reduced(reduction, part, inputs), ranks + " ranks");
        }
    }

    private static BigDecimal value(DataType type, Random random) {
        return switch (type) {
            case UINT8 -> BigDecimal.valueOf(random.nextInt(256));
            case INT8 -> BigDecimal.valueOf((byte) random.nextInt());
            case INT16 -> BigDecimal.valueOf((short) random.nextInt());
            case INT32 -> BigDecimal.valueOf(random.nextInt());
            case INT64 -> BigDecimal.valueOf(random.nextLong());
            default -> BigDecimal.valueOf(random.nextInt(15) - 7).multiply(QUARTER);
        };
    }

    private static BigDecimal exact(DataType type, ReduceOp op, List<BigDecimal> values) {
        BigDecimal result = values.stream().reduce((a, b) -> combined(op, a, b)).orElseThrow();
        return switch (op) {
            case AVG -> {
                BigDecimal ranks = BigDecimal.valueOf(values.size());
                // The sum of int64 wraps before it is divided. BigInteger truncates toward zero.
                yield isInteger(type)
                        ? new BigDecimal(
                                BigInteger.valueOf(result.toBigInteger().longValue())
                                        .divide(ranks.toBigInteger()))
                        : new BigDecimal(
                                type == DataType.FLOAT64
                                        ? result.doubleValue() / values.size()
                                        : result.floatValue() / values.size());
            }
            case PREMUL_SUM -> result.multiply(new BigDecimal(FACTOR));
            default -> result;
        };
    }

    private static BigDecimal combined(ReduceOp op, BigDecimal a, BigDecimal b) {
        return switch (op) {
            case SUM, AVG, PREMUL_SUM -> a.add(b);
            case MIN -> a.min(b);
            case MAX -> a.max(b);
            case PRODUCT -> a.multiply(b);
            case BAND -> new BigDecimal(a.toBigIntegerExact().and(b.toBigIntegerExact()));
            case BOR -> new BigDecimal(a.toBigIntegerExact().or(b.toBigIntegerExact()));
            case BXOR -> new BigDecimal(a.toBigIntegerExact().xor(b.toBigIntegerExact()));
        };
    }

    private static boolean isInteger(DataType type) {
        return switch (type) {
            case UINT8, INT8, INT16, INT32, INT64 -> true;
            default -> false;
        };
    }

    /** A result as the type holds it: its lowest bits, or the nearest. */
    private static Number stored(DataType type, BigDecimal exact) {
        return isInteger(type) ? Elements.as(type, exact.toBigInteger().longValue()) : Elements.as(type, exact);
    }

    /** Combines the first half of the ranks and the second, and then the two: values and partial results everywhere. */
    private static List<Number> reduced(Reduction reduction, DataType part, List<List<BigDecimal>> inputs) {
        try (Arena arena = Arena.ofConfined()) {
            Operand first = half(arena, reduction, part, inputs.subList(0, inputs.size() / 2));
            Operand second = half(arena, reduction, part, inputs.subList(inputs.size() / 2, inputs.size()));
            MemorySegment output =
                    arena.allocate((long) COUNT * reduction.type().bytes());
            reduction.combine(first, second, new Operand(output, 0, false), COUNT);
            long parts = reduction.type().bytes() / part.bytes();
            return positive(Elements.get(output, 0, part, COUNT * parts));
        }
    }

    private static Operand half(Arena arena, Reduction reduction, DataType part, List<List<BigDecimal>> inputs) {
        Operand result = value(arena, reduction, part, inputs.getFirst());
        MemorySegment sum =
                arena.allocate((long) COUNT * reduction.partialType().bytes());
        for (List<BigDecimal> input : inputs.subList(1, inputs.size())) {
            Operand next = new Operand(sum, 0, true);
            reduction.combine(result, value(arena, reduction, part, input), next, COUNT);
            result = next;
        }
        return result;
    }

    private static Operand value(Arena arena, Reduction reduction, DataType part, List<BigDecimal> values) {
        MemorySegment memory = arena.allocate((long) COUNT * reduction.type().bytes());
        Elements.put(memory, 0, part, Elements.as(part, values));
        return new Operand(memory, 0, false);
    }

    /** Exact arithmetic knows one zero only. */
    private static List<Number> positive(List<Number> values) {
        return values.stream()
                .map(value -> value.equals(-0f) ? (Number) 0f : value.equals(-0d) ? (Number) 0d : value)
                .toList();
    }
}

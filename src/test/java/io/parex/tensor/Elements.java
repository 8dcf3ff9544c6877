package io.parex.tensor;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Elements as boxed numbers, and what Java's own arithmetic makes of them. Compare with {@code equals}: it takes every
 * NaN for the same and tells -0 from +0.
 */
final class Elements {
    static final List<DataType> COMPUTED = List.of(DataType.INT32, DataType.INT64, DataType.FLOAT32, DataType.FLOAT64);
    static final List<ReduceOp> COMBINING = List.of(ReduceOp.SUM, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.PRODUCT);

    private Elements() {}

    /** Values at which arithmetic tends to go wrong. */
    static List<Number> special(DataType type) {
        return switch (type) {
            case INT32 -> List.of(0, 1, -1, 7, -7, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE);
            case INT64 -> List.of(0L, 1L, -1L, 7L, -7L, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE);
            case FLOAT32 ->
                List.of(
                        Float.NaN,
                        0f,
                        -0f,
                        1f,
                        -1.5f,
                        1e-20f,
                        Float.MIN_VALUE,
                        Float.MAX_VALUE,
                        -Float.MAX_VALUE,
                        Float.POSITIVE_INFINITY,
                        Float.NEGATIVE_INFINITY);
            case FLOAT64 ->
                List.of(
                        Double.NaN,
                        0d,
                        -0d,
                        1d,
                        -1.5d,
                        1e-200d,
                        Double.MIN_VALUE,
                        Double.MAX_VALUE,
                        -Double.MAX_VALUE,
                        Double.POSITIVE_INFINITY,
                        Double.NEGATIVE_INFINITY);
            default -> throw new AssertionError(type);
        };
    }

    /** Special values and arbitrary bit patterns, as many as asked for. */
    static List<Number> mixed(DataType type, int count, long seed) {
        Random random = new Random(seed);
        List<Number> special = special(type);
        List<Number> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(random.nextBoolean() ? special.get(random.nextInt(special.size())) : anyBits(type, random));
        }
        return values;
    }

    private static Number anyBits(DataType type, Random random) {
        return switch (type) {
            case INT32 -> random.nextInt();
            case INT64 -> random.nextLong();
            case FLOAT32 -> Float.intBitsToFloat(random.nextInt());
            case FLOAT64 -> Double.longBitsToDouble(random.nextLong());
            default -> throw new AssertionError(type);
        };
    }

    static void put(MemorySegment segment, long offset, DataType type, List<? extends Number> values) {
        for (Number value : values) {
            switch (type) {
                case INT32 -> segment.set(Layouts.INT32, offset, value.intValue());
                case INT64 -> segment.set(Layouts.INT64, offset, value.longValue());
                case FLOAT32 -> segment.set(Layouts.FLOAT32, offset, value.floatValue());
                case FLOAT64 -> segment.set(Layouts.FLOAT64, offset, value.doubleValue());
                default -> throw new AssertionError(type);
            }
            offset += type.bytes();
        }
    }

    static List<Number> get(MemorySegment segment, long offset, DataType type, long count) {
        List<Number> values = new ArrayList<>();
        for (long i = 0; i < count; i++, offset += type.bytes()) {
            values.add(
                    switch (type) {
                        case INT32 -> segment.get(Layouts.INT32, offset);
                        case INT64 -> segment.get(Layouts.INT64, offset);
                        case FLOAT32 -> segment.get(Layouts.FLOAT32, offset);
                        case FLOAT64 -> segment.get(Layouts.FLOAT64, offset);
                        default -> throw new AssertionError(type);
                    });
        }
        return values;
    }

    /** What {@code a (+) b} is, by Java's definition. */
    static Number combined(DataType type, ReduceOp op, Number a, Number b) {
        return switch (type) {
            case INT32 -> ints(op, a.intValue(), b.intValue());
            case INT64 -> longs(op, a.longValue(), b.longValue());
            case FLOAT32 -> floats(op, a.floatValue(), b.floatValue());
            case FLOAT64 -> doubles(op, a.doubleValue(), b.doubleValue());
            default -> throw new AssertionError(type);
        };
    }

    static List<Number> combined(DataType type, ReduceOp op, List<Number> a, List<Number> b) {
        List<Number> values = new ArrayList<>();
        for (int i = 0; i < a.size(); i++) {
            values.add(combined(type, op, a.get(i), b.get(i)));
        }
        return values;
    }

    private static Number ints(ReduceOp op, int a, int b) {
        return switch (op) {
            case SUM -> a + b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case PRODUCT -> a * b;
            default -> throw new AssertionError(op);
        };
    }

    private static Number longs(ReduceOp op, long a, long b) {
        return switch (op) {
            case SUM -> a + b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case PRODUCT -> a * b;
            default -> throw new AssertionError(op);
        };
    }

    private static Number floats(ReduceOp op, float a, float b) {
        return switch (op) {
            case SUM -> a + b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case PRODUCT -> a * b;
            default -> throw new AssertionError(op);
        };
    }

    private static Number doubles(ReduceOp op, double a, double b) {
        return switch (op) {
            case SUM -> a + b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case PRODUCT -> a * b;
            default -> throw new AssertionError(op);
        };
    }
}

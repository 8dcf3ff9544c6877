package io.parex.tensor;

import java.util.ArrayList;
import java.util.List;

/** What Java's own arithmetic makes of {@link Elements}. */
final class Arithmetic {
    private Arithmetic() {}

    /** What {@code a (+) b} is, in the type. */
    static Number combined(DataType type, ReduceOp op, Number a, Number b) {
        return switch (type) {
            case BOOL -> truth(op, a.intValue() != 0, b.intValue() != 0) ? 1 : 0;
            case UINT8, INT8, INT16, INT32 -> Elements.as(type, ints(op, a.intValue(), b.intValue()));
            case INT64 -> longs(op, a.longValue(), b.longValue());
            case FLOAT16, BFLOAT16, FLOAT32 -> floats(op, a.floatValue(), b.floatValue());
            case FLOAT64 -> doubles(op, a.doubleValue(), b.doubleValue());
            case COMPLEX64 -> sum((Complex) a, (Complex) b).single();
            case COMPLEX128 -> sum((Complex) a, (Complex) b);
            case FLOAT8_E4M3, FLOAT8_E5M2, UINT16, UINT32, UINT64 -> throw new AssertionError(type);
        };
    }

    static List<Number> combined(DataType type, ReduceOp op, List<Number> a, List<Number> b) {
        List<Number> values = new ArrayList<>();
        for (int i = 0; i < a.size(); i++) {
            values.add(combined(type, op, a.get(i), b.get(i)));
        }
        return values;
    }

    /** A partial result divided, in its type. */
    static Number divided(DataType type, Number sum, int divisor) {
        return switch (type) {
            case INT64 -> sum.longValue() / divisor;
            case FLOAT32 -> sum.floatValue() / divisor;
            case FLOAT64 -> sum.doubleValue() / divisor;
            case COMPLEX64 -> {
                Complex complex = (Complex) sum;
                yield new Complex((float) complex.real() / divisor, (float) complex.imaginary() / divisor);
            }
            case COMPLEX128 -> {
                Complex complex = (Complex) sum;
                yield new Complex(complex.real() / divisor, complex.imaginary() / divisor);
            }
            default -> throw new AssertionError(type);
        };
    }

    /** A value times a factor, in the type of partial results. */
    static Number scaled(DataType type, Number value, double factor) {
        return switch (type) {
            case FLOAT32 -> value.floatValue() * (float) factor;
            case FLOAT64 -> value.doubleValue() * factor;
            case COMPLEX64 -> {
                Complex complex = (Complex) value;
                float single = (float) factor;
                yield new Complex((float) complex.real() * single, (float) complex.imaginary() * single);
            }
            case COMPLEX128 -> {
                Complex complex = (Complex) value;
                yield new Complex(complex.real() * factor, complex.imaginary() * factor);
            }
            default -> throw new AssertionError(type);
        };
    }

    private static boolean truth(ReduceOp op, boolean a, boolean b) {
        return switch (op) {
            case SUM, MAX, BOR -> a || b;
            case PRODUCT, MIN, BAND -> a && b;
            case BXOR -> a != b;
            default -> throw new AssertionError(op);
        };
    }

    private static int ints(ReduceOp op, int a, int b) {
        return switch (op) {
            case SUM -> a + b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case PRODUCT -> a * b;
            case BAND -> a & b;
            case BOR -> a | b;
            case BXOR -> a ^ b;
            default -> throw new AssertionError(op);
        };
    }

    private static long longs(ReduceOp op, long a, long b) {
        return switch (op) {
            case SUM -> a + b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case PRODUCT -> a * b;
            case BAND -> a & b;
            case BOR -> a | b;
            case BXOR -> a ^ b;
            default -> throw new AssertionError(op);
        };
    }

    private static float floats(ReduceOp op, float a, float b) {
        return switch (op) {
            case SUM -> a + b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case PRODUCT -> a * b;
            default -> throw new AssertionError(op);
        };
    }

    private static double doubles(ReduceOp op, double a, double b) {
        return switch (op) {
            case SUM -> a + b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case PRODUCT -> a * b;
            default -> throw new AssertionError(op);
        };
    }

    /** Of float32 parts too, whose sum in double rounded to float32 is their sum in float32. */
    private static Complex sum(Complex a, Complex b) {
        return new Complex(a.real() + b.real(), a.imaginary() + b.imaginary());
    }
}

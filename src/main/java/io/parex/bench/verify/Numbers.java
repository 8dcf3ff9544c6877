package io.parex.bench.verify;

import io.parex.tensor.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Elements as numbers of Java: integers and truth values as longs, floating types and parts of complex ones as doubles.
 */
final class Numbers {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Numbers() {}

    /** Whether elements are, or consist of, floating point numbers that are computed with. */
    static boolean isFloating(DataType type) {
        return switch (type) {
            case FLOAT16, BFLOAT16, FLOAT32, FLOAT64, COMPLEX64, COMPLEX128 -> true;
            default -> false;
        };
    }

    /** Numbers of an element. */
    static int parts(DataType type) {
        return type == DataType.COMPLEX64 || type == DataType.COMPLEX128 ? 2 : 1;
    }

    /** The type of the numbers of an element. */
    static DataType part(DataType type) {
        return switch (type) {
            case COMPLEX64 -> DataType.FLOAT32;
            case COMPLEX128 -> DataType.FLOAT64;
            default -> type;
        };
    }

    /** All of {@code memory} as integers; of bool 0 or 1 for what is false or true, and the byte if it is another. */
    static long[] integers(DataType type, MemorySegment memory) {
        long[] values = new long[(int) (memory.byteSize() / type.bytes())];
        for (int i = 0; i < values.length; i++) {
            long at = (long) i * type.bytes();
            values[i] = switch (type) {
                case BOOL, UINT8 -> memory.get(ValueLayout.JAVA_BYTE, at) & 0xff;
                case INT8 -> memory.get(ValueLayout.JAVA_BYTE, at);
                case INT16 -> memory.get(SHORT, at);
                case INT32 -> memory.get(INT, at);
                case INT64 -> memory.get(LONG, at);
                default -> throw new IllegalArgumentException(type.label());
            };
        }
        return values;
    }

    /** The lowest bits of an integer, as the type has them. */
    static long narrow(DataType type, long value) {
        return switch (type) {
            case UINT8 -> value & 0xff;
            case INT8 -> (byte) value;
            case INT16 -> (short) value;
            case INT32 -> (int) value;
            default -> value;
        };
    }

    /** All of {@code memory} as numbers; {@code part} is not complex. */
    static double[] reals(DataType part, MemorySegment memory) {
        double[] values = new double[(int) (memory.byteSize() / part.bytes())];
        for (int i = 0; i < values.length; i++) {
            long at = (long) i * part.bytes();
            values[i] = switch (part) {
                case FLOAT16 -> Float.float16ToFloat(memory.get(SHORT, at));
                case BFLOAT16 -> Float.intBitsToFloat(memory.get(SHORT, at) << Short.SIZE);
                case FLOAT32 -> Float.intBitsToFloat(memory.get(INT, at));
                case FLOAT64 -> Double.longBitsToDouble(memory.get(LONG, at));
                default -> throw new IllegalArgumentException(part.label());
            };
        }
        return values;
    }

    /** Writes a number that the type has exactly; {@code part} is not complex. */
    static void put(DataType part, MemorySegment memory, long index, double value) {
        long at = index * part.bytes();
        switch (part) {
            case FLOAT16 -> memory.set(SHORT, at, Float.floatToFloat16((float) value));
            case BFLOAT16 -> memory.set(SHORT, at, (short) (Float.floatToRawIntBits((float) value) >>> Short.SIZE));
            case FLOAT32 -> memory.set(INT, at, Float.floatToRawIntBits((float) value));
            case FLOAT64 -> memory.set(LONG, at, Double.doubleToRawLongBits(value));
            default -> throw new IllegalArgumentException(part.label());
        }
    }

    /** Bits of the mantissa, the leading one included. */
    static int precision(DataType part) {
        return switch (part) {
            case FLOAT16 -> 11;
            case BFLOAT16 -> 8;
            case FLOAT32 -> 24;
            case FLOAT64 -> 53;
            default -> throw new IllegalArgumentException(part.label());
        };
    }

    /** From a number to the next one that the type has, of those that are as great. */
    static double step(DataType part, double value) {
        int least = switch (part) {
            case FLOAT16 -> -14;
            case FLOAT64 -> Double.MIN_EXPONENT;
            default -> Float.MIN_EXPONENT;
        };
        return Math.scalb(1.0, Math.max(Math.getExponent(value), least) - precision(part) + 1);
    }

    /** The value of a type nearest to a number, of two the even one; infinite beyond the greatest by half a step. */
    static double nearest(DataType part, double value) {
        return switch (part) {
            case FLOAT16 -> nearest(value, step(part, value), 65504);
            case BFLOAT16 -> nearest(value, step(part, value), 0x1.fep127);
            case FLOAT32 -> (float) value;
            default -> value;
        };
    }

    private static double nearest(double value, double step, double greatest) {
        if (!Double.isFinite(value)) {
            return value;
        }
        double rounded = Math.copySign(Math.rint(value / step) * step, value);
        return Math.abs(rounded) > greatest ? Math.copySign(Double.POSITIVE_INFINITY, value) : rounded;
    }
}

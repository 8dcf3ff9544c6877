package io.parex.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Elements as boxed numbers, and what Java's own arithmetic makes of them. Integers below 32 bits and bool are boxed as
 * {@code Integer}, halves as {@code Float}. Compare with {@code equals}: it takes every NaN for the same and tells -0
 * from +0.
 */
final class Elements {
    /** The types that are reduced. */
    static final List<DataType> COMPUTED = List.of(
            DataType.BOOL,
            DataType.UINT8,
            DataType.INT8,
            DataType.INT16,
            DataType.INT32,
            DataType.INT64,
            DataType.FLOAT16,
            DataType.BFLOAT16,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.COMPLEX64,
            DataType.COMPLEX128);

    private Elements() {}

    /** The operations for which there is a kernel. */
    static List<ReduceOp> combining(DataType type) {
        return switch (type) {
            case FLOAT16, BFLOAT16 -> List.of(ReduceOp.MIN, ReduceOp.MAX);
            case FLOAT32, FLOAT64 -> List.of(ReduceOp.SUM, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.PRODUCT);
            case COMPLEX64, COMPLEX128 -> List.of(ReduceOp.SUM);
            default ->
                Stream.of(ReduceOp.values())
                        .filter(op -> op != ReduceOp.AVG && op != ReduceOp.PREMUL_SUM)
                        .toList();
        };
    }

    /** Values at which arithmetic tends to go wrong. */
    static List<Number> special(DataType type) {
        return switch (type) {
            case BOOL -> List.of(0, 1);
            case UINT8 -> List.of(0, 1, 2, 127, 128, 254, 255);
            case INT8 -> List.of(0, 1, -1, 7, 16, 127, -128);
            case INT16 -> List.of(0, 1, -1, 7, 256, 32767, -32768);
            case INT32 -> List.of(0, 1, -1, 7, -7, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE);
            case INT64 -> List.of(0L, 1L, -1L, 7L, -7L, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE);
            case FLOAT16 -> floats(0x1p-24f, 0x1p-14f, 65504f);
            case BFLOAT16 -> floats(0x1p-133f, 0x1p-126f, 0x1.fep127f);
            case FLOAT32 -> floats(Float.MIN_VALUE, 1e-20f, Float.MAX_VALUE);
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
            case COMPLEX64 -> pairs(special(DataType.FLOAT32));
            case COMPLEX128 -> pairs(special(DataType.FLOAT64));
            case FLOAT8_E4M3, FLOAT8_E5M2, UINT16, UINT32, UINT64 -> throw new AssertionError(type);
        };
    }

    private static List<Number> floats(float least, float small, float greatest) {
        return List.of(
                Float.NaN,
                0f,
                -0f,
                1f,
                -1.5f,
                least,
                -least,
                small,
                greatest,
                -greatest,
                Float.POSITIVE_INFINITY,
                Float.NEGATIVE_INFINITY);
    }

    private static List<Number> pairs(List<Number> parts) {
        List<Number> pairs = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            Number next = parts.get((i + 4) % parts.size());
            pairs.add(new Complex(parts.get(i).doubleValue(), next.doubleValue()));
        }
        return pairs;
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
            case BOOL -> random.nextInt(2);
            case UINT8 -> random.nextInt(256);
            case INT8 -> (int) (byte) random.nextInt();
            case INT16 -> (int) (short) random.nextInt();
            case INT32 -> random.nextInt();
            case INT64 -> random.nextLong();
            case FLOAT16, BFLOAT16 -> (float) Halves.of(type).value(random.nextInt(1 << 16));
            case FLOAT32 -> Float.intBitsToFloat(random.nextInt());
            case FLOAT64 -> Double.longBitsToDouble(random.nextLong());
            case COMPLEX64 ->
                new Complex(Float.intBitsToFloat(random.nextInt()), Float.intBitsToFloat(random.nextInt()));
            case COMPLEX128 ->
                new Complex(Double.longBitsToDouble(random.nextLong()), Double.longBitsToDouble(random.nextLong()));
            case FLOAT8_E4M3, FLOAT8_E5M2, UINT16, UINT32, UINT64 -> throw new AssertionError(type);
        };
    }

    static void put(MemorySegment segment, long offset, DataType type, List<? extends Number> values) {
        for (Number value : values) {
            switch (type) {
                case BOOL, UINT8, INT8 -> segment.set(ValueLayout.JAVA_BYTE, offset, value.byteValue());
                case INT16 -> segment.set(Layouts.INT16, offset, value.shortValue());
                case INT32 -> segment.set(Layouts.INT32, offset, value.intValue());
                case INT64 -> segment.set(Layouts.INT64, offset, value.longValue());
                case FLOAT16, BFLOAT16 ->
                    segment.set(Layouts.INT16, offset, Halves.of(type).bits(value.floatValue()));
                case FLOAT32 -> segment.set(Layouts.FLOAT32, offset, value.floatValue());
                case FLOAT64 -> segment.set(Layouts.FLOAT64, offset, value.doubleValue());
                case COMPLEX64, COMPLEX128 -> put(segment, offset, part(type), parts((Complex) value));
                case FLOAT8_E4M3, FLOAT8_E5M2, UINT16, UINT32, UINT64 -> throw new AssertionError(type);
            }
            offset += type.bytes();
        }
    }

    static List<Number> get(MemorySegment segment, long offset, DataType type, long count) {
        List<Number> values = new ArrayList<>();
        for (long i = 0; i < count; i++, offset += type.bytes()) {
            values.add(get(segment, offset, type));
        }
        return values;
    }

    private static Number get(MemorySegment segment, long offset, DataType type) {
        return switch (type) {
            case BOOL, UINT8 -> segment.get(ValueLayout.JAVA_BYTE, offset) & 0xff;
            case INT8 -> (int) segment.get(ValueLayout.JAVA_BYTE, offset);
            case INT16 -> (int) segment.get(Layouts.INT16, offset);
            case INT32 -> segment.get(Layouts.INT32, offset);
            case INT64 -> segment.get(Layouts.INT64, offset);
            case FLOAT16, BFLOAT16 -> (float) Halves.of(type).value(segment.get(Layouts.INT16, offset));
            case FLOAT32 -> segment.get(Layouts.FLOAT32, offset);
            case FLOAT64 -> segment.get(Layouts.FLOAT64, offset);
            case COMPLEX64, COMPLEX128 -> {
                List<Number> parts = get(segment, offset, part(type), 2);
                yield new Complex(
                        parts.getFirst().doubleValue(), parts.getLast().doubleValue());
            }
            case FLOAT8_E4M3, FLOAT8_E5M2, UINT16, UINT32, UINT64 -> throw new AssertionError(type);
        };
    }

    private static DataType part(DataType type) {
        return type == DataType.COMPLEX64 ? DataType.FLOAT32 : DataType.FLOAT64;
    }

    private static List<Number> parts(Complex value) {
        return Arrays.asList(value.real(), value.imaginary());
    }

    /** A number as the nearest value of a type; integers as their lowest bits. */
    static Number as(DataType type, Number value) {
        return switch (type) {
            case BOOL -> value.intValue() == 0 ? 0 : 1;
            case UINT8 -> value.intValue() & 0xff;
            case INT8 -> (int) value.byteValue();
            case INT16 -> (int) value.shortValue();
            case INT32 -> value.intValue();
            case INT64 -> value.longValue();
            case FLOAT16, BFLOAT16 -> Halves.of(type).nearest(value.doubleValue());
            case FLOAT32 -> value.floatValue();
            case FLOAT64 -> value.doubleValue();
            case COMPLEX64 -> complex(value).single();
            case COMPLEX128 -> complex(value);
            case FLOAT8_E4M3, FLOAT8_E5M2, UINT16, UINT32, UINT64 -> throw new AssertionError(type);
        };
    }

    private static Complex complex(Number value) {
        return value instanceof Complex complex ? complex : new Complex(value.doubleValue(), -value.doubleValue());
    }

    static List<Number> as(DataType type, List<? extends Number> values) {
        List<Number> converted = new ArrayList<>();
        for (Number value : values) {
            converted.add(as(type, value));
        }
        return converted;
    }
}

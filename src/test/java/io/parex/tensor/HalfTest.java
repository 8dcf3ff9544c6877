package io.parex.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** All 65,536 values of float16 and bfloat16, bit by bit, against their definition. */
class HalfTest {
    private static final int ALL = 1 << 16;
    private static final int SIGN = 0x8000;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment floats = arena.allocate(6L * ALL * Float.BYTES, 64);
    private final MemorySegment rounded = arena.allocate(6L * ALL * Short.BYTES, 64);

    @AfterEach
    void freeMemory() {
        arena.close();
    }

    static Stream<Arguments> halves() {
        return Stream.of(new ScalarKernels(), new VectorKernels())
                .flatMap(provider -> Stream.of(Halves.values())
                        .map(half -> Arguments.of(provider.description(), half.type(), half, provider)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("halves")
    void shouldWidenEveryValueExactly(String name, DataType type, Halves half, KernelProvider provider) {
        MemorySegment values = all();
        MemorySegment widened = arena.allocate((long) ALL * Float.BYTES);
        provider.widen(type, DataType.FLOAT32).apply(values, 0, widened, 0, ALL);
        for (int bits = 0; bits < ALL; bits++) {
            float actual = widened.getAtIndex(Layouts.FLOAT32, bits);
            assertEquals((float) half.value(bits), actual); // tells -0 from 0
        }
    }

    /** The definition itself, where Java knows it too. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("halves")
    void shouldKnowTheDefinition(String name, DataType type, Halves half, KernelProvider provider) {
        for (int bits = 0; bits < ALL; bits++) {
            float java =
                    type == DataType.FLOAT16 ? Float.float16ToFloat((short) bits) : Float.intBitsToFloat(bits << 16);
            assertEquals(java, (float) half.value(bits));
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("halves")
    void shouldRoundEveryValueToItself(String name, DataType type, Halves half, KernelProvider provider) {
        for (int bits = 0; bits < ALL; bits++) {
            put(bits, (float) half.value(bits));
        }
        round(provider, type, ALL);
        for (int bits = 0; bits < ALL; bits++) {
            boolean nan = (bits & ~SIGN) > half.infinity();
            assertRounded(bits, nan ? half.nan() : (short) bits);
        }
    }

    /** Between all neighbours, infinity taken for the step after the greatest value: the middle, and just beside it. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("halves")
    void shouldRoundToTheNearestAndToTheEvenOfTwo(String name, DataType type, Halves half, KernelProvider provider) {
        int finite = half.infinity();
        for (int bits = 0; bits < finite; bits++) {
            double below = half.value(bits);
            double above = bits + 1 < finite ? half.value(bits + 1) : 2 * below - half.value(bits - 1);
            float middle = (float) ((below + above) / 2);
            assertEquals((below + above) / 2, middle, "the middle is a float32");
            put(6 * bits, Math.nextDown(middle));
            put(6 * bits + 1, middle);
            put(6 * bits + 2, Math.nextUp(middle));
            put(6 * bits + 3, -Math.nextDown(middle));
            put(6 * bits + 4, -middle);
            put(6 * bits + 5, -Math.nextUp(middle));
        }
        round(provider, type, 6 * finite);
        for (int bits = 0; bits < finite; bits++) {
            int even = bits + (bits & 1);
            assertRounded(6 * bits, (short) bits);
            assertRounded(6 * bits + 1, (short) even);
            assertRounded(6 * bits + 2, (short) (bits + 1));
            assertRounded(6 * bits + 3, (short) (bits | SIGN));
            assertRounded(6 * bits + 4, (short) (even | SIGN));
            assertRounded(6 * bits + 5, (short) (bits + 1 | SIGN));
        }
    }

    /** Every upper half of a float32 with lower halves at which rounding turns; a NaN never turns into infinity. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("halves")
    void shouldRoundFloat32OfAnyBits(String name, DataType type, Halves half, KernelProvider provider) {
        int[] lower = {0, 1, 0x0fff, 0x1000, 0x1001, 0x1fff, 0x2000, 0x3000, 0x7fff, 0x8000, 0x8001, 0xffff};
        for (int divisor : new int[] {1, 3}) {
            Conversion finish = provider.finish(DataType.FLOAT32, type, divisor);
            for (int low : lower) {
                for (int high = 0; high < ALL; high++) {
                    put(high, Float.intBitsToFloat(high << 16 | low));
                }
                finish.apply(floats, 0, rounded, 0, ALL);
                for (int high = 0; high < ALL; high++) {
                    float exact = Float.intBitsToFloat(high << 16 | low) / divisor;
                    assertRounded(high, half, Float.isNaN(exact) ? exact : half.nearest(exact));
                }
            }
        }
    }

    /** Each value with some of each kind, on either side, by the order of float32. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("halves")
    void shouldFindTheLeastAndGreatestOfAnyTwo(String name, DataType type, Halves half, KernelProvider provider) {
        int infinity = half.infinity();
        int[] others = {0, 1, 0x1234, infinity, infinity + 1};
        MemorySegment values = all();
        MemorySegment other = arena.allocate((long) ALL * Short.BYTES);
        for (int i = 0; i < 2 * others.length; i++) {
            int second = others[i / 2] | (i % 2 == 0 ? 0 : SIGN);
            fill(other, second);
            for (int bits = 0; bits < ALL; bits++) {
                float a = (float) half.value(bits);
                float b = (float) half.value(second);
                put(bits, Math.min(a, b));
                put(ALL + bits, Math.max(a, b));
            }
            for (boolean turned : new boolean[] {false, true}) {
                MemorySegment left = turned ? other : values;
                MemorySegment right = turned ? values : other;
                provider.kernel(type, ReduceOp.MIN).apply(left, 0, right, 0, rounded, 0, ALL);
                provider.kernel(type, ReduceOp.MAX).apply(left, 0, right, 0, rounded, 2L * ALL, ALL);
                for (int at = 0; at < 2 * ALL; at++) {
                    assertRounded(at, half, floats.getAtIndex(Layouts.FLOAT32, at));
                }
            }
        }
    }

    private MemorySegment all() {
        MemorySegment values = arena.allocate((long) ALL * Short.BYTES);
        for (int bits = 0; bits < ALL; bits++) {
            values.setAtIndex(Layouts.INT16, bits, (short) bits);
        }
        return values;
    }

    private static void fill(MemorySegment segment, int bits) {
        for (int i = 0; i < ALL; i++) {
            segment.setAtIndex(Layouts.INT16, i, (short) bits);
        }
    }

    private void put(int at, float value) {
        floats.setAtIndex(Layouts.FLOAT32, at, value);
    }

    private void round(KernelProvider provider, DataType type, int count) {
        provider.finish(DataType.FLOAT32, type, 1).apply(floats, 0, rounded, 0, count);
    }

    private void assertRounded(int at, short expected) {
        assertEquals(expected, rounded.getAtIndex(Layouts.INT16, at));
    }

    /** That the bits are those of the value, and of the one NaN. */
    private void assertRounded(int at, Halves half, float expected) {
        short bits = rounded.getAtIndex(Layouts.INT16, at);
        assertEquals(expected, (float) half.value(bits));
        if (Float.isNaN(expected)) {
            assertEquals(half.nan(), bits);
        }
    }
}

package io.parex.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every NaN that is combined has the same bits. Ranks that combine the same values by themselves, by code that is
 * compiled here and not yet there, else end with different ones.
 */
class NanTest {
    /** Enough for whole vectors and a rest. */
    private static final int COUNT = 37;

    private static final int[] SINGLE = {0x7fc00000, 0xffc00000, 0x7f800001, 0x7fabcdef, 0xffffffff};
    private static final long[] DOUBLE = {0x7ff8000000000000L, 0xfff8000000000000L, 0x7ff0000000000001L, -1};

    static Stream<Arguments> kernels() {
        return Stream.of(new ScalarKernels(), new VectorKernels())
                .flatMap(kernels -> Stream.of(ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.MAX)
                        .map(op -> Arguments.of(kernels, op)));
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void shouldGiveOneNanOfFloat32(KernelProvider kernels, ReduceOp op) {
        Kernel kernel = kernels.kernel(DataType.FLOAT32, op);
        for (int a : SINGLE) {
            for (int b : new int[] {SINGLE[0], SINGLE[2], SINGLE[4], Float.floatToIntBits(1.5f)}) {
                for (List<Integer> sides : List.of(List.of(a, b), List.of(b, a))) {
                    MemorySegment left = MemorySegment.ofArray(new byte[COUNT * Float.BYTES]);
                    MemorySegment right = MemorySegment.ofArray(new byte[COUNT * Float.BYTES]);
                    for (int i = 0; i < COUNT; i++) {
                        left.setAtIndex(Layouts.INT32, i, sides.getFirst());
                        right.setAtIndex(Layouts.INT32, i, sides.getLast());
                    }
                    kernel.apply(left, 0, right, 0, left, 0, COUNT);
                    for (int i = 0; i < COUNT; i++) {
                        assertEquals(0x7fc00000, left.getAtIndex(Layouts.INT32, i), sides + " at " + i);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void shouldGiveOneNanOfFloat64(KernelProvider kernels, ReduceOp op) {
        Kernel kernel = kernels.kernel(DataType.FLOAT64, op);
        for (long a : DOUBLE) {
            for (long b : new long[] {DOUBLE[0], DOUBLE[2], Double.doubleToLongBits(-2)}) {
                for (List<Long> sides : List.of(List.of(a, b), List.of(b, a))) {
                    MemorySegment left = MemorySegment.ofArray(new byte[COUNT * Double.BYTES]);
                    MemorySegment right = MemorySegment.ofArray(new byte[COUNT * Double.BYTES]);
                    for (int i = 0; i < COUNT; i++) {
                        left.setAtIndex(Layouts.INT64, i, sides.getFirst());
                        right.setAtIndex(Layouts.INT64, i, sides.getLast());
                    }
                    kernel.apply(left, 0, right, 0, left, 0, COUNT);
                    for (int i = 0; i < COUNT; i++) {
                        assertEquals(0x7ff8000000000000L, left.getAtIndex(Layouts.INT64, i), sides + " at " + i);
                    }
                }
            }
        }
    }
}

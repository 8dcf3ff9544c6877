package io.parex.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kernel of both kinds against Java's own arithmetic, so that the two kinds are equal as well. */
class KernelTest {
    private static final int WIDEST_VECTOR_BYTES = 64;
    private static final int[] OFFSETS = {0, 1, 3, 8, 13};
    private static final int ROUNDS_TO_COMPILE = 1000;
    private static final byte CANARY = 0x5A;

    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void freeMemory() {
        arena.close();
    }

    static Stream<Arguments> kernels() {
        return Stream.of(new ScalarKernels(), new VectorKernels())
                .flatMap(provider -> Elements.COMPUTED.stream()
                        .flatMap(type -> Elements.combining(type).stream()
                                .map(op -> Arguments.of(provider.description(), type, op, provider.kernel(type, op)))));
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("kernels")
    void shouldCombineEveryPairOfSpecialValuesAsJavaDoes(String name, DataType type, ReduceOp op, Kernel kernel) {
        List<Number> left = new ArrayList<>();
        List<Number> right = new ArrayList<>();
        for (Number a : Elements.special(type)) {
            for (Number b : Elements.special(type)) {
                left.add(a);
                right.add(b);
            }
        }
        assertEquals(Arithmetic.combined(type, op, left, right), run(kernel, type, left, 0, right, 0, 0));
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("kernels")
    void shouldBeRightForAllLengthsAndUnalignedOffsets(String name, DataType type, ReduceOp op, Kernel kernel) {
        int longest = 3 * WIDEST_VECTOR_BYTES / type.bytes();
        for (int length = 0; length <= longest; length++) {
            List<Number> left = Elements.mixed(type, length, length);
            List<Number> right = Elements.mixed(type, length, -1 - length);
            List<Number> expected = Arithmetic.combined(type, op, left, right);
            for (int i = 0; i < OFFSETS.length; i++) {
                // Any five lengths in a row have all pairs.
                int leftOffset = OFFSETS[i];
                int rightOffset = OFFSETS[(i + length) % OFFSETS.length];
                int targetOffset = OFFSETS[(leftOffset + rightOffset + length) % OFFSETS.length];
                List<Number> result = run(kernel, type, left, leftOffset, right, rightOffset, targetOffset);
                assertEquals(expected, result, length + " elements at " + leftOffset + ", " + rightOffset);
            }
        }
    }

    /** The compiler replaces vector operations, and Math.min and max, by instructions of its own choice. */
    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("kernels")
    void shouldStayRightOnceCompiled(String name, DataType type, ReduceOp op, Kernel kernel) {
        int count = 2001;
        List<Number> left = Elements.mixed(type, count, 11);
        List<Number> right = Elements.mixed(type, count, 12);
        MemorySegment a = segment(type, left, 0);
        MemorySegment b = segment(type, right, 0);
        MemorySegment target = arena.allocate((long) count * type.bytes());
        for (int round = 0; round < ROUNDS_TO_COMPILE; round++) {
            kernel.apply(a, 0, b, 0, target.fill(CANARY), 0, count);
        }
        assertEquals(Arithmetic.combined(type, op, left, right), Elements.get(target, 0, type, count));
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("kernels")
    void shouldAllowTheTargetToBeAnOperand(String name, DataType type, ReduceOp op, Kernel kernel) {
        int length = 2 * WIDEST_VECTOR_BYTES / type.bytes() + 1;
        List<Number> left = Elements.mixed(type, length, 1);
        List<Number> right = Elements.mixed(type, length, 2);
        MemorySegment a = segment(type, left, 1);
        MemorySegment b = segment(type, right, 1);

        kernel.apply(a, 1, b, 1, a, 1, length);
        assertEquals(Arithmetic.combined(type, op, left, right), Elements.get(a, 1, type, length), "target is left");

        Elements.put(a, 1, type, left);
        kernel.apply(a, 1, b, 1, b, 1, length);
        assertEquals(Arithmetic.combined(type, op, left, right), Elements.get(b, 1, type, length), "target is right");

        kernel.apply(a, 1, a, 1, a, 1, length);
        assertEquals(Arithmetic.combined(type, op, left, left), Elements.get(a, 1, type, length), "all the same");
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("kernels")
    void shouldRefuseToLeaveItsSegments(String name, DataType type, ReduceOp op, Kernel kernel) {
        long elements = 3 * WIDEST_VECTOR_BYTES / type.bytes();
        MemorySegment enough = arena.allocate(elements * type.bytes());
        MemorySegment tooShort = arena.allocate(elements * type.bytes() - 1);
        for (MemorySegment[] s : new MemorySegment[][] {
            {tooShort, enough, enough}, {enough, tooShort, enough}, {enough, enough, tooShort}
        }) {
            assertThrows(IndexOutOfBoundsException.class, () -> kernel.apply(s[0], 0, s[1], 0, s[2], 0, elements));
        }
        assertThrows(IndexOutOfBoundsException.class, () -> kernel.apply(enough, -1, enough, 0, enough, 0, elements));
    }

    /**
     * Runs the kernel into fresh memory, checking that nothing beside the target and nothing of the operands changes.
     */
    private static List<Number> run(
            Kernel kernel,
            DataType type,
            List<Number> left,
            int leftOffset,
            List<Number> right,
            int rightOffset,
            int targetOffset) {
        try (Arena own = Arena.ofConfined()) {
            int count = left.size();
            long bytes = (long) count * type.bytes();
            MemorySegment a = own.allocate(bytes + leftOffset);
            MemorySegment b = own.allocate(bytes + rightOffset);
            MemorySegment target =
                    own.allocate(bytes + targetOffset + WIDEST_VECTOR_BYTES).fill(CANARY);
            Elements.put(a, leftOffset, type, left);
            Elements.put(b, rightOffset, type, right);

            kernel.apply(a, leftOffset, b, rightOffset, target, targetOffset, count);

            assertEquals(left, Elements.get(a, leftOffset, type, count));
            assertEquals(right, Elements.get(b, rightOffset, type, count));
            MemorySegment untouched = own.allocate(target.byteSize()).fill(CANARY);
            assertEquals(-1, target.asSlice(0, targetOffset).mismatch(untouched.asSlice(0, targetOffset)));
            assertEquals(-1, target.asSlice(targetOffset + bytes).mismatch(untouched.asSlice(targetOffset + bytes)));
            return Elements.get(target, targetOffset, type, count);
        }
    }

    private MemorySegment segment(DataType type, List<Number> values, long offset) {
        MemorySegment segment = arena.allocate(offset + (long) values.size() * type.bytes());
        Elements.put(segment, offset, type, values);
        return segment;
    }
}

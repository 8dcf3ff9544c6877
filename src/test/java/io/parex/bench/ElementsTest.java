package io.parex.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The values that are put in, and the comparison with them. */
class ElementsTest {
    private static final int RANKS = 5;
    private static final long COUNT = 2L * Pattern.PERIOD + 3;

    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void free() {
        arena.close();
    }

    @ParameterizedTest
    @EnumSource(DataType.class)
    void shouldCountExactlyTheElementsThatDiffer(DataType type) {
        Elements elements = new Elements(arena, type, Pattern.input(1, RANKS, type, null));
        TensorView tensor = tensor(type);
        elements.fill(tensor);
        assertEquals(0, elements.wrong(tensor));
        for (long index : new long[] {0, 100, Pattern.PERIOD, COUNT - 1}) {
            long at = (index + 1) * type.bytes() - 1; // the last byte: half a difference is one
            MemorySegment segment = tensor.segment();
            segment.set(ValueLayout.JAVA_BYTE, at, (byte) (segment.get(ValueLayout.JAVA_BYTE, at) ^ 1));
        }
        assertEquals(4, elements.wrong(tensor));
    }

    @ParameterizedTest
    @EnumSource(DataType.class)
    void shouldTakeNoSpoiledElementForAResult(DataType type) {
        Elements elements = new Elements(arena, type, Pattern.input(0, RANKS, type, null));
        TensorView tensor = tensor(type);
        RankMemory.spoil(tensor);
        assertEquals(COUNT, elements.wrong(tensor));
    }

    @Test
    void shouldCompareATensorThatBeginsLater() {
        Elements elements = new Elements(arena, DataType.INT16, Pattern.input(2, RANKS, DataType.INT16, null));
        TensorView whole = tensor(DataType.INT16);
        elements.fill(whole);
        for (long from : new long[] {0, 1, Pattern.PERIOD - 1, Pattern.PERIOD + 4000}) {
            TensorView part = whole.slice(from, COUNT - from);
            assertEquals(0, elements.wrong(part, from));
            assertTrue(elements.wrong(part, from + 1) > part.count() / 2);
        }
    }

    @Test
    void shouldSeeABlockInTheWrongPlace() {
        Elements elements = new Elements(arena, DataType.INT32, Pattern.input(0, RANKS, DataType.INT32, null));
        TensorView tensor = tensor(DataType.INT32);
        elements.fill(tensor);
        tensor.slice(0, 1024).segment().copyFrom(tensor.slice(4096, 1024).segment());
        assertTrue(elements.wrong(tensor) > 512, "a block of 1024 in another's place looks almost right");
    }

    @ParameterizedTest
    @EnumSource(
            value = ReduceOp.class,
            names = {"SUM", "AVG", "MIN", "MAX", "PRODUCT", "PREMUL_SUM"})
    void shouldStayExactInFloat32(ReduceOp op) {
        int ranks = 1024;
        for (long value : Pattern.reduced(ranks, DataType.FLOAT32, op)) {
            assertEquals(value, (long) (float) value);
        }
        for (long value : Pattern.input(ranks - 1, ranks, DataType.FLOAT32, op)) {
            assertTrue(value >= 0 && value * ranks <= 1 << Float.PRECISION, () -> value + " is too large to sum");
        }
    }

    @Test
    void shouldAverageToWholeNumbersThatTheSmallestTypesHold() {
        for (int ranks : new int[] {1, 2, 3, 200, 1023}) {
            long[] sums = new long[Pattern.PERIOD];
            for (int rank = 0; rank < ranks; rank++) {
                long[] values = Pattern.input(rank, ranks, DataType.INT8, ReduceOp.AVG);
                for (int i = 0; i < sums.length; i++) {
                    assertTrue(values[i] > 0 && values[i] <= Byte.MAX_VALUE, values[i] + " is no small number");
                    sums[i] += values[i];
                }
            }
            for (long sum : sums) {
                assertEquals(0, sum % ranks);
            }
        }
    }

    @Test
    void shouldGiveEveryRankValuesOfItsOwn() {
        Elements first = new Elements(arena, DataType.INT32, Pattern.input(0, RANKS, DataType.INT32, null));
        Elements second = new Elements(arena, DataType.INT32, Pattern.input(1, RANKS, DataType.INT32, null));
        TensorView tensor = tensor(DataType.INT32);
        first.fill(tensor);
        assertTrue(second.wrong(tensor) > COUNT / 2);
    }

    private TensorView tensor(DataType type) {
        return TensorView.of(arena.allocate(COUNT * type.bytes()), type);
    }
}

package io.parex.bench.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The reference itself, against values that were worked out by hand. */
class FoldTest {

    private static Fold fold(DataType type, ReduceOp op, boolean rounded, boolean inRankOrder) {
        Cell cell = new Cell(Primitive.ALL_REDUCE, "ring", type, op);
        return Fold.of(new Check(3, cell, Form.PLAIN, List.of(1L), 0, false, rounded), inRankOrder);
    }

    private static String ofBytes(DataType type, ReduceOp op, int a, int b, int c, int result) {
        return fold(type, op, false, false).fault(List.of(bytes(a), bytes(b), bytes(c)), bytes(result));
    }

    private static MemorySegment bytes(int value) {
        return MemorySegment.ofArray(new byte[] {(byte) value});
    }

    private static MemorySegment reals(DataType type, double value) {
        MemorySegment memory = MemorySegment.ofArray(new byte[type.bytes()]);
        Numbers.put(type, memory, 0, value);
        return memory;
    }

    private static String ofReals(
            DataType type, ReduceOp op, boolean rounded, boolean inRankOrder, double[] values, double result) {
        return fold(type, op, rounded, inRankOrder)
                .fault(
                        List.of(reals(type, values[0]), reals(type, values[1]), reals(type, values[2])),
                        reals(type, result));
    }

    @Test
    void shouldWrapIntegers() {
        assertNull(ofBytes(DataType.INT8, ReduceOp.SUM, 120, 100, 0, -36));
        assertNull(ofBytes(DataType.UINT8, ReduceOp.SUM, 200, 100, 0, 44));
        assertNull(ofBytes(DataType.INT8, ReduceOp.PRODUCT, 16, 16, 3, 0));
        assertNull(ofBytes(DataType.UINT8, ReduceOp.MAX, 200, 100, 0, 200));
        assertEquals("element 0 is 100, not 200", ofBytes(DataType.UINT8, ReduceOp.MAX, 200, 100, 0, 100));
    }

    @Test
    void shouldTruncateAveragesOfIntegersTowardZero() {
        assertNull(ofBytes(DataType.INT8, ReduceOp.AVG, -7, 0, -1, -2));
        assertNull(ofBytes(DataType.INT8, ReduceOp.AVG, 127, 127, 127, 127));
    }

    @Test
    void shouldKnowTruthByOneBitOnly() {
        assertNull(ofBytes(DataType.BOOL, ReduceOp.SUM, 2, 0, 255, 1));
        assertNull(ofBytes(DataType.BOOL, ReduceOp.BAND, 2, 1, 255, 1));
        assertNull(ofBytes(DataType.BOOL, ReduceOp.BXOR, 2, 1, 0, 0));
        assertEquals("element 0 is 255, not 1", ofBytes(DataType.BOOL, ReduceOp.SUM, 2, 0, 255, 255));
    }

    @Test
    void shouldSumHalvesInSinglePrecision() {
        double[] values = {2048, 1, 1};
        assertNull(ofReals(DataType.FLOAT16, ReduceOp.SUM, true, true, values, 2050));
        assertEquals(
                "element 0 is 2048.0, not 2050.0", ofReals(DataType.FLOAT16, ReduceOp.SUM, true, true, values, 2048));
    }

    @Test
    void shouldTakeTheOrderOfTheRanksByItsBitsAndAnyOtherWithinItsBound() {
        double[] values = {0x1p24, 1, 1};
        assertNull(ofReals(DataType.FLOAT32, ReduceOp.SUM, true, true, values, 0x1p24));
        assertEquals(
                "element 0 is 1.6777218E7, not 1.6777216E7",
                ofReals(DataType.FLOAT32, ReduceOp.SUM, true, true, values, 0x1p24 + 2));
        assertNull(ofReals(DataType.FLOAT32, ReduceOp.SUM, true, false, values, 0x1p24 + 2));
        assertEquals(
                "element 0 is 1.6777232E7, not 1.6777216E7",
                ofReals(DataType.FLOAT32, ReduceOp.SUM, true, false, values, 0x1p24 + 16));
    }

    /** Small values of a half are further apart than its precision says. */
    @Test
    void shouldAllowASumToBeRoundedToTheNextSmallHalf() {
        double[] values = {64, 0x1p-24 + 0x1p-18, -64};
        assertNull(ofReals(DataType.FLOAT16, ReduceOp.SUM, true, false, values, 0x1p-18));
        assertNull(ofReals(DataType.FLOAT16, ReduceOp.SUM, true, false, values, 0x1p-24 + 0x1p-18));
        double[] small = {0x1p-24, 0, 0};
        assertNull(ofReals(DataType.FLOAT16, ReduceOp.SUM, true, false, small, 0x1p-24));
        assertEquals(
                "element 0 is 1.1920928955078125E-7, not 5.960464477539063E-8",
                ofReals(DataType.FLOAT16, ReduceOp.SUM, true, false, small, 0x1p-23));
    }

    @Test
    void shouldFindNanAndTellZeros() {
        double[] nan = {1, Double.NaN, 3};
        assertNull(ofReals(DataType.FLOAT64, ReduceOp.MIN, false, false, nan, Double.NaN));
        assertEquals("element 0 is 1.0, not NaN", ofReals(DataType.FLOAT64, ReduceOp.MIN, false, false, nan, 1));
        double[] zeros = {0.0, -0.0, 0.0};
        assertNull(ofReals(DataType.BFLOAT16, ReduceOp.MIN, false, false, zeros, -0.0));
        assertEquals("element 0 is 0.0, not -0.0", ofReals(DataType.BFLOAT16, ReduceOp.MIN, false, false, zeros, 0.0));
    }

    @Test
    void shouldMultiplyEachValueOnceBeforeItSums() {
        double third = (float) (1.0 / 3);
        float sum = (float) (5 * third) + (float) (7 * third) + (float) (9 * third);
        double[] values = {5, 7, 9};
        assertNull(ofReals(DataType.FLOAT32, ReduceOp.PREMUL_SUM, true, true, values, sum));
        assertNull(ofReals(DataType.FLOAT32, ReduceOp.PREMUL_SUM, false, true, values, 10.5));
    }
}

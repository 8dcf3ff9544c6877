package io.parex.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cases from public reports, as far as they are a matter of arithmetic; the numbers are those of the collection. */
class ReductionCasesTest {

    @Test
    void c03WorldOfOneGivesTheInput() {
        for (DataType type : Elements.COMPUTED) {
            List<Number> input = Elements.as(type, List.of(1, 2, 3));
            for (ReduceOp op : Reductions.operations(type)) {
                if (op != ReduceOp.PREMUL_SUM) {
                    assertEquals(input, reduce(type, op, List.of(input)), type + " " + op);
                }
            }
        }
    }

    @Test
    void c12ReductionsOfBfloat16() {
        List<List<Number>> ranks = List.of(List.of(1.5f, -2.25f, 3f), List.of(0.5f, 0.25f, 1f));
        assertEquals(List.of(2f, -2f, 4f), reduce(DataType.BFLOAT16, ReduceOp.SUM, ranks));
        assertEquals(List.of(1.5f, 0.25f, 3f), reduce(DataType.BFLOAT16, ReduceOp.MAX, ranks));
        assertEquals(List.of(0.5f, -2.25f, 1f), reduce(DataType.BFLOAT16, ReduceOp.MIN, ranks));
        assertEquals(List.of(1f, -1f, 2f), reduce(DataType.BFLOAT16, ReduceOp.AVG, ranks));
        assertEquals(List.of(0.75f, -0.5625f, 3f), reduce(DataType.BFLOAT16, ReduceOp.PRODUCT, ranks));
    }

    @Test
    void c14Float16DoesNotOverflowOnTheWay() {
        List<List<Number>> ranks = List.of(List.of(60000f), List.of(60000f), List.of(-60000f));
        // 60000 lies between two float16.
        List<Number> expected = List.of(Halves.FLOAT16.nearest(60000));
        for (int first = 0; first < 3; first++) {
            List<List<Number>> turned = new ArrayList<>(ranks);
            Collections.rotate(turned, first);
            assertEquals(expected, reduce(DataType.FLOAT16, ReduceOp.SUM, as(DataType.FLOAT16, turned)));
        }
        assertEquals(expected, reduce(DataType.FLOAT16, ReduceOp.AVG, as(DataType.FLOAT16, ranks.subList(0, 2))));
    }

    @Test
    void c15Float16OverflowsToInfinityAtTheEnd() {
        assertEquals(List.of(Float.POSITIVE_INFINITY), sum(DataType.FLOAT16, 40000f, 40000f));
        assertEquals(List.of(Float.NaN), sum(DataType.FLOAT16, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY));
        assertEquals(List.of(65504f), sum(DataType.FLOAT16, 65504f, 15f));
        assertEquals(List.of(Float.POSITIVE_INFINITY), sum(DataType.FLOAT16, 65504f, 16f));
    }

    @Test
    void c16IntegersWrap() {
        assertEquals(List.of(-36), sum(DataType.INT8, 120, 100));
        assertEquals(List.of(44), sum(DataType.UINT8, 200, 100));
        List<Number> rank = List.of(65536);
        assertEquals(List.of(0), reduce(DataType.INT32, ReduceOp.PRODUCT, List.of(rank, rank)));
    }

    @Test
    void c18BoolReductions() {
        List<List<Number>> ranks = List.of(List.of(1, 0, 1), List.of(0, 0, 1), List.of(1, 0, 1));
        // Any byte but 0 is true; what is stored is 0 or 1.
        List<List<Number>> bytes = List.of(List.of(2, 0, 255), List.of(0, 0, 128), List.of(64, 0, 1));
        for (List<List<Number>> inputs : List.of(ranks, bytes)) {
            for (ReduceOp or : List.of(ReduceOp.SUM, ReduceOp.MAX, ReduceOp.BOR)) {
                assertEquals(List.of(1, 0, 1), reduce(DataType.BOOL, or, inputs), or.label());
            }
            for (ReduceOp and : List.of(ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.BAND)) {
                assertEquals(List.of(0, 0, 1), reduce(DataType.BOOL, and, inputs), and.label());
            }
            assertEquals(List.of(0, 0, 1), reduce(DataType.BOOL, ReduceOp.BXOR, inputs));
        }
        assertEquals(List.of(0), reduce(DataType.BOOL, ReduceOp.BXOR, List.of(List.of(2), List.of(1))));
        assertEquals(List.of(1, 0), reduce(DataType.BOOL, ReduceOp.SUM, List.of(List.of(7, 0))), "of one rank");
        assertUnsupported(DataType.BOOL, ReduceOp.AVG);
    }

    @Test
    void c19BitwiseOperationsAreRightOrRefused() {
        for (DataType type : List.of(DataType.UINT8, DataType.INT8, DataType.INT16, DataType.INT32)) {
            List<List<Number>> ranks = List.of(List.of(12), List.of(10));
            assertEquals(List.of(8), reduce(type, ReduceOp.BAND, ranks));
            assertEquals(List.of(14), reduce(type, ReduceOp.BOR, ranks));
            assertEquals(List.of(6), reduce(type, ReduceOp.BXOR, ranks));
        }
        for (ReduceOp op : List.of(ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR)) {
            assertUnsupported(DataType.FLOAT32, op);
        }
    }

    @Test
    void c20SumOfInt16() {
        List<Number> rank = List.of(-1, 2, 3, -5);
        assertEquals(List.of(-2, 4, 6, -10), reduce(DataType.INT16, ReduceOp.SUM, List.of(rank, rank)));
    }

    @ParameterizedTest
    @EnumSource(
            value = DataType.class,
            names = {"FLOAT8_E4M3", "FLOAT8_E5M2", "UINT16", "UINT32", "UINT64"})
    void c21TypesThatAreOnlyCarriedAreNeverReduced(DataType type) {
        for (ReduceOp op : ReduceOp.values()) {
            assertUnsupported(type, op);
        }
    }

    @Test
    void c22AverageDividesByRanksNotByElements() {
        List<List<Number>> ranks = List.of(ten(1f), ten(2f), ten(3f), ten(4f));
        for (DataType type : List.of(DataType.FLOAT16, DataType.BFLOAT16, DataType.FLOAT32)) {
            assertEquals(ten(2.5f), reduce(type, ReduceOp.AVG, ranks));
            assertEquals(ten(3f), reduce(type, ReduceOp.AVG, List.of(ranks.get(1), ranks.get(3))));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DataType.class,
            names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void c25NanOnAnyRankGivesNan(DataType type) {
        Number nan = Elements.as(type, Double.NaN);
        for (ReduceOp op : List.of(ReduceOp.MIN, ReduceOp.MAX)) {
            for (int holder = 0; holder < 4; holder++) {
                List<List<Number>> ranks = new ArrayList<>();
                for (int rank = 0; rank < 4; rank++) {
                    ranks.add(Collections.nCopies(33, rank == holder ? nan : (Number) (rank + 1)));
                }
                List<Number> expected = Collections.nCopies(33, nan);
                assertEquals(expected, reduce(type, op, ranks), op + " with NaN on rank " + holder);
            }
        }
    }

    private static List<Number> sum(DataType type, Number first, Number second) {
        return reduce(type, ReduceOp.SUM, as(type, List.of(List.of(first), List.of(second))));
    }

    private static List<List<Number>> as(DataType type, List<List<Number>> ranks) {
        return ranks.stream().map(values -> Elements.as(type, values)).toList();
    }

    private static void assertUnsupported(DataType type, ReduceOp op) {
        ParexException refusal = assertThrows(ParexException.class, () -> Reductions.of(type, op, 2, 1));
        assertEquals(ErrorKind.UNSUPPORTED, refusal.kind());
        assertTrue(refusal.getMessage().contains(type.label()), refusal.getMessage());
    }

    private static List<Number> ten(float value) {
        return Collections.nCopies(10, value);
    }

    /** Folds the ranks from the first to the last, the last step into values: what a schedule does to one element. */
    private static List<Number> reduce(DataType type, ReduceOp op, List<List<Number>> ranks) {
        Reduction reduction = Reductions.of(type, op, ranks.size());
        int count = ranks.getFirst().size();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment own = arena.allocate((long) count * type.bytes());
            MemorySegment sum =
                    arena.allocate((long) count * reduction.partialType().bytes());
            MemorySegment output = arena.allocate((long) count * type.bytes());
            Elements.put(own, 0, type, ranks.getFirst());
            if (ranks.size() == 1) {
                reduction.alone(new Operand(own, 0, false), new Operand(output, 0, false), count);
            }
            reduction.copy(new Operand(own, 0, false), new Operand(sum, 0, true), count);
            for (int rank = 1; rank < ranks.size(); rank++) {
                boolean last = rank == ranks.size() - 1;
                Elements.put(own, 0, type, ranks.get(rank));
                reduction.combine(
                        new Operand(sum, 0, true),
                        new Operand(own, 0, false),
                        new Operand(last ? output : sum, 0, !last),
                        count);
            }
            return Elements.get(output, 0, type, count);
        }
    }
}

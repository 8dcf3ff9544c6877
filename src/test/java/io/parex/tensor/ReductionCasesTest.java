package io.parex.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
    void c16ProductOfInt32Wraps() {
        List<Number> rank = List.of(65536);
        assertEquals(List.of(0), reduce(DataType.INT32, ReduceOp.PRODUCT, List.of(rank, rank)));
    }

    @Test
    void c22AverageDividesByRanksNotByElements() {
        List<List<Number>> ranks = List.of(ten(1f), ten(2f), ten(3f), ten(4f));
        assertEquals(ten(2.5f), reduce(DataType.FLOAT32, ReduceOp.AVG, ranks));
        assertEquals(ten(3f), reduce(DataType.FLOAT32, ReduceOp.AVG, List.of(ranks.get(1), ranks.get(3))));
    }

    @ParameterizedTest
    @EnumSource(
            value = DataType.class,
            names = {"FLOAT32", "FLOAT64"})
    void c25NanOnAnyRankGivesNan(DataType type) {
        Number nan = type == DataType.FLOAT32 ? (Number) Float.NaN : (Number) Double.NaN;
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

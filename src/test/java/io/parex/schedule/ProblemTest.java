package io.parex.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProblemTest {
    private static final Blocks BLOCKS = Blocks.of(3, 0, 5, 2);

    /** Rank 2 of 4, which has 5 of 10 elements from the third on; root 2, then root 0; -99 where nothing is aliased. */
    @ParameterizedTest
    @CsvSource({
        "BARRIER,          0,  0, -99,  0,  0, -99",
        "BROADCAST,       10,  0, -99,  0, 10, -99",
        "SCATTER_V,       10,  5,   3,  0,  5, -99",
        "GATHER_V,         5, 10,  -3,  5,  0, -99",
        "ALL_GATHER_V,     5, 10,  -3,  5, 10,  -3",
        "REDUCE,          10, 10,   0, 10,  0, -99",
        "ALL_REDUCE,      10, 10,   0, 10, 10,   0",
        "REDUCE_SCATTER_V, 10, 5,   3, 10,  5,   3",
        "ALL_TO_ALL_V,    10, 10,   0, 10, 10,   0"
    })
    void shouldSayWhatTensorsHoldAndShare(
            Primitive primitive, long rootIn, long rootOut, long rootShift, long in, long out, long shift) {
        assertTensors(Problem.of(primitive, 2, 4, BLOCKS, 2, true), rootIn, rootOut, rootShift);
        assertTensors(Problem.of(primitive, 2, 4, BLOCKS, 0, true), in, out, shift);
        assertTensors(Problem.of(primitive, 2, 4, BLOCKS, 2, false), rootIn, rootOut, -99);
    }

    private static void assertTensors(Problem problem, long input, long output, long shift) {
        assertEquals(input, problem.inputLength());
        assertEquals(output, problem.outputLength());
        assertEquals(shift == -99 ? Aliasing.NONE : Aliasing.shifted(shift), problem.aliasing());
    }

    @Test
    void shouldGetFromEachRankWhatThatRankHasForIt() {
        for (int rank = 0; rank < 4; rank++) {
            Problem problem = Problem.of(Primitive.ALL_TO_ALL_V, rank, 4, 10, 0, false);
            assertEquals(Blocks.each(problem.blocks().length(rank), 4), problem.incoming());
        }
    }

    @Test
    void shouldRefuseWhatIsNoProblem() {
        assertThrows(IllegalArgumentException.class, () -> Problem.of(Primitive.ALL_GATHER, 0, 4, BLOCKS, 0, false));
        assertThrows(IllegalArgumentException.class, () -> Problem.of(Primitive.ALL_REDUCE, 4, 4, 10, 0, false));
        assertThrows(IllegalArgumentException.class, () -> Problem.of(Primitive.ALL_REDUCE, 0, 4, 10, 4, false));
        assertThrows(IllegalArgumentException.class, () -> Problem.of(Primitive.ALL_REDUCE, 0, 3, BLOCKS, 0, false));
        assertThrows(IllegalArgumentException.class, () -> Problem.of(Primitive.ALL_REDUCE, 0, 4, -1, 0, false));
    }
}

package io.parex.bench.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckListTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 9})
    void shouldCoverEveryCellAndNameEachCheckDifferently(int ranks) {
        List<Check> checks = CheckList.of(ranks, CheckFilter.ALL);
        Coverage coverage = new Coverage(List.of(ranks), checks);
        assertEquals(coverage.cells(), coverage.covered());
        Set<String> ids = new HashSet<>();
        checks.forEach(check -> assertTrue(ids.add(check.id()), check.id()));
    }

    @Test
    void shouldBeManyChecks() {
        int checks = IntStream.rangeClosed(1, 9)
                .map(ranks -> CheckList.of(ranks, CheckFilter.ALL).size())
                .sum();
        assertTrue(checks >= 50_000, checks + " checks");
    }

    @Test
    void shouldCheckEveryCellOfAReductionInAndOutOfPlaceExactAndRounded() {
        List<Check> checks = CheckList.of(4, CheckFilter.ALL).stream()
                .filter(check -> check.cell().op() == ReduceOp.SUM && check.type() == DataType.BFLOAT16)
                .filter(check -> !check.cell().algorithm().equals(Cell.AUTO))
                .toList();
        for (Cell cell : checks.stream().map(Check::cell).collect(Collectors.toSet())) {
            List<Check> own =
                    checks.stream().filter(check -> check.cell().equals(cell)).toList();
            for (boolean value : new boolean[] {false, true}) {
                assertTrue(own.stream().anyMatch(check -> check.inPlace() == value), cell + " in place: " + value);
                assertTrue(own.stream().anyMatch(check -> check.rounded() == value), cell + " rounded: " + value);
            }
        }
    }

    @Test
    void shouldCheckEveryRoot() {
        for (Primitive primitive :
                List.of(Primitive.BROADCAST, Primitive.REDUCE, Primitive.GATHER, Primitive.BARRIER)) {
            Set<Integer> roots = CheckList.of(5, CheckFilter.ALL).stream()
                    .filter(check -> check.primitive() == primitive)
                    .map(Check::root)
                    .collect(Collectors.toSet());
            assertEquals(Set.of(0, 1, 2, 3, 4), roots, primitive.label());
        }
    }

    @Test
    void shouldLeaveOutWhatIsNotAskedFor() {
        CheckFilter filter = new CheckFilter(
                Set.of(Primitive.ALL_REDUCE), Set.of("ring"), Set.of(DataType.INT8), Set.of(ReduceOp.MAX), null);
        List<Check> checks = CheckList.of(3, filter);
        assertEquals(
                Set.of(new Cell(Primitive.ALL_REDUCE, "ring", DataType.INT8, ReduceOp.MAX)),
                checks.stream().map(Check::cell).collect(Collectors.toSet()));
        Check one = checks.getLast();
        CheckFilter only = new CheckFilter(Set.of(), Set.of(), Set.of(), Set.of(), one.id());
        assertEquals(List.of(one), CheckList.of(3, only), "a check is found by its name and is the same");
    }
}

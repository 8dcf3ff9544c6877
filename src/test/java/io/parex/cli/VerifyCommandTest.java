package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.bench.verify.Check;
import io.parex.bench.verify.CheckFilter;
import io.parex.bench.verify.CheckList;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerifyCommandTest {

    @Test
    void shouldRunWhatIsAskedForAndEndWithTheResult() {
        Invocation verify = Invocation.of(
                "verify", "-n", "2,3", "--primitive", "broadcast,reduce", "--dtype", "bool", "--algorithm", "chain");
        assertEquals(ExitCodes.GOOD, verify.exit(), verify.err());
        List<String> lines = verify.out().lines().toList();
        int checks = checks(2) + checks(3);
        assertEquals(checks + " passed, 0 failed", lines.getLast());
        assertTrue(
                lines.stream().anyMatch(line -> line.matches("# reduce +4 +308 +7 +\\d+")),
                "what is covered of the product: " + verify.out());
        assertEquals("", verify.err());
    }

    private static int checks(int ranks) {
        return (int) CheckList.of(ranks, CheckFilter.ALL).stream()
                .filter(check -> check.id().matches("n./(broadcast|reduce)/chain/bool(/.*)?"))
                .count();
    }

    @Test
    void shouldListChecksAndRunEachByItsName() {
        Invocation list =
                Invocation.of("verify", "-n", "3", "--primitive", "all_to_all_v", "--dtype", "int64", "--list");
        List<String> lines = list.out().lines().toList();
        List<String> names =
                lines.stream().filter(line -> !line.startsWith("#")).toList();
        assertTrue(names.size() > 10, list.out());
        Invocation one = Invocation.of("verify", "-n", "3", "--only", names.getLast());
        assertEquals(ExitCodes.GOOD, one.exit(), one.err());
        assertEquals("1 passed, 0 failed", one.out().lines().toList().getLast());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --primitive=nope      | no primitive 'nope'; known: send, recv
            --algorithm=nope      | no algorithm 'nope'; known: auto, dissemination
            --dtype=nope          | no data type 'nope'; known: bool
            --op=nope             | no reduction 'nope'; known: sum
            -n=0                  | is not of worlds of 1 to 33 ranks
            -n=4..x               | is neither a size nor a range
            --only=nope           | there is no such check for worlds of [1, 2, 3, 4] ranks: nope
            --isolation=process   | --isolation process is not available for verify; available: jvm
            """)
    void shouldRefuseWhatCannotBeMeant(String argument, String expected) {
        Invocation verify = Invocation.of("verify", argument);
        assertEquals(ExitCodes.USAGE, verify.exit());
        assertTrue(verify.err().contains(expected), verify.err());
        assertEquals("", verify.out());
    }

    @Test
    void shouldSayHowToRunAFailureAgain() {
        StringWriter out = new StringWriter();
        StringWriter terminal = new StringWriter();
        Check check = CheckList.of(2, new CheckFilter(Set.of(), Set.of("ring"), Set.of(), Set.of(), null))
                .getFirst();
        VerifyReport report = new VerifyReport(new PrintWriter(out), new PrintWriter(terminal), 7);
        report.progress(3, check);
        report.failed(check, List.of("rank 1: first", "rank 2: second"));
        report.end(2_500_000_000L, 6, 1);
        assertEquals(
                "FAILED " + check.id() + "\n  rank 1: first\n  rank 2: second\n  again: parex verify -n 2 --only "
                        + check.id() + "\n# 7 checks in 2.5 s\n6 passed, 1 failed\n",
                out.toString());
        assertTrue(terminal.toString().contains("3 of 7, " + check.id()), terminal.toString());
    }
}

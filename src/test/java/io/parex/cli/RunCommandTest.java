package io.parex.cli;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Wrong use of the commands that start a world; {@link RunIT} uses them rightly. */
class RunCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandLine parex =
            ParexCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "run -n 0                | -n must be 1 to 1024, not 0",
                "run -n 1025             | -n must be 1 to 1024, not 1025",
                "run -n four             | Invalid value for option '--ranks': 'four' is not an int",
                "run --isolation thread  | no isolation 'thread'; known: jvm, process",
                "demo -n 0               | -n must be 1 to 1024, not 0",
                "demo now                | Unmatched argument at index 1: 'now'",
                "serve -n 2              | Unknown option",
            })
    void shouldRefuseWrongUseBeforeAnythingStarts(String line, String reason) {
        assertEquals(ExitCodes.USAGE, parex.execute(line.split(" ")));
        assertEquals("", out.toString());
        assertTrue(err.toString().contains(reason), err.toString());
        String command = line.substring(0, line.indexOf(' '));
        assertTrue(err.toString().endsWith("Try 'parex " + command + " --help'.\n"), err.toString());
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            run no-such-program,       no such program on the PATH
            run /no/such/program,      no such file
            run -n 2 -- /etc/passwd,   not an executable file
            run -- ./target,           not an executable file
            """)
    void shouldMissAProgramBeforeAnythingStarts(String line, String reason) {
        assertEquals(ExitCodes.USAGE, parex.execute(line.split(" ")));
        assertTrue(err.toString().contains("cannot start '"), err.toString());
        assertTrue(err.toString().endsWith(reason + "\n"), err.toString());
    }

    @Test
    void shouldTellEachProcessItsRankAndWhereItIs() {
        JobEnvironment environment =
                new JobEnvironment(4, rank -> "127.0.0.1:9000", 29500, Map.of("PYTHONUNBUFFERED", "1"));
        assertEquals(
                Map.ofEntries(
                        entry("PYTHONUNBUFFERED", "1"),
                        entry("RANK", "3"),
                        entry("WORLD_SIZE", "4"),
                        entry("LOCAL_RANK", "3"),
                        entry("LOCAL_WORLD_SIZE", "4"),
                        entry("GROUP_RANK", "0"),
                        entry("GROUP_WORLD_SIZE", "1"),
                        entry("ROLE_NAME", "default"),
                        entry("ROLE_RANK", "3"),
                        entry("ROLE_WORLD_SIZE", "4"),
                        entry("MASTER_ADDR", "127.0.0.1"),
                        entry("MASTER_PORT", "29500"),
                        entry("PAREX_ENDPOINT", "127.0.0.1:9000"),
                        entry("PAREX_RANK", "3")),
                environment.of(3));
    }
}

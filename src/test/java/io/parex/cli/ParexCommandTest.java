package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What all commands share: help, and how errors are reported. */
class ParexCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Failing failing = new Failing();
    private final CommandLine parex = ParexCommand.commandLine()
            .addSubcommand(failing)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err));

    /** Ends with whatever error it holds. */
    @Command(name = "fail")
    private static final class Failing implements Runnable {
        private RuntimeException failure;

        @Override
        public void run() {
            throw failure;
        }
    }

    @Test
    void shouldPrintHelpOnStandardOutput() {
        assertEquals(ExitCodes.GOOD, parex.execute("--help"));
        assertTrue(out.toString().startsWith("Usage: parex"), out.toString());
        assertEquals("", err.toString());
    }

    @Test
    void shouldNotShowTheCommandThatOnlyTheBuildNeeds() {
        parex.execute("--help");
        assertTrue(!out.toString().contains("warm-up"), out.toString());
    }

    @Test
    void shouldNameVersionAndCommit() {
        assertEquals(ExitCodes.GOOD, parex.execute("--version"));
        assertTrue(out.toString().matches("parex \\d+\\.\\S+ \\(commit [-\\w]+, Java 25.*\\)\\R"), out.toString());
    }

    @Test
    void shouldGiveEveryCommandItsHelp() {
        for (String name : parex.getSubcommands().keySet()) {
            out.getBuffer().setLength(0);
            assertEquals(ExitCodes.GOOD, parex.execute(name, "--help"));
            assertTrue(out.toString().startsWith("Usage: parex " + name), out.toString());
        }
    }

    @Test
    void shouldHintAtTheHelpOfTheCommandThatWasUsedWrongly() {
        assertEquals(ExitCodes.USAGE, parex.execute("fail", "--no-such-option"));
        assertEquals("", out.toString());
        assertTrue(err.toString().endsWith("Try 'parex fail --help'.\n"), err.toString());
    }

    @Test
    void shouldAskForACommand() {
        assertEquals(ExitCodes.USAGE, parex.execute());
        assertEquals("parex: a command is missing\nTry 'parex --help'.\n", err.toString());
    }

    @Test
    void shouldReportAnErrorOfParexInOneLine() {
        failing.failure = new ParexException(ErrorKind.UNAVAILABLE, "port 9000 is taken");
        assertEquals(ExitCodes.UNREACHABLE, parex.execute("fail"));
        assertEquals("parex fail: port 9000 is taken\n", err.toString());
    }

    @Test
    void shouldShowTheTraceOfABug() {
        failing.failure = new IllegalStateException("bug");
        assertEquals(ExitCodes.CHECK_FAILED, parex.execute("fail"));
        assertTrue(err.toString().contains("at io.parex.cli.ParexCommandTest"), err.toString());
    }
}

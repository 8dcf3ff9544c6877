package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The executable that the build leaves, started as users start it. */
class LauncherIT {
    private static final int MAX_BARE_STARTS = 20;
    private static final String PAREX =
            Path.of("target", "parex").toAbsolutePath().toString();
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir
    private Path elsewhere;

    @Test
    void shouldRunThroughASymbolicLinkFromAnyDirectory() throws Exception {
        Path link = Files.createSymbolicLink(elsewhere.resolve("px"), Path.of(PAREX));
        Shell.Result result = shell(Map.of()).run(link.toString(), "--help");
        Files.delete(link);
        assertEquals(ExitCodes.GOOD, result.exit(), result.err());
        assertTrue(result.out().startsWith("Usage: parex"), result.out());
    }

    @Test
    void shouldRunWhereJavaHomePointsNowhere() throws Exception {
        Shell.Result result = shell(Map.of("JAVA_HOME", "/nowhere")).run(PAREX, "--version");
        assertEquals(ExitCodes.GOOD, result.exit(), result.err());
        assertTrue(result.out().startsWith("parex "), result.out());
    }

    @Test
    void shouldReportWrongUsageOnStandardErrorOnly() throws Exception {
        Shell.Result result = shell(Map.of()).run(PAREX, "no-such-command");
        assertEquals(ExitCodes.USAGE, result.exit());
        assertEquals("", result.out());
        assertTrue(result.err().contains("Try 'parex --help'."), result.err());
    }

    /** The JVM says nothing when it rejects a cache: recorded with other flags, another class path, another JDK. */
    @Test
    void shouldAcceptTheAotCacheFromAnyDirectory() throws Exception {
        Shell.Result result =
                shell(Map.of("PAREX_JAVA_OPTS", "-Xlog:aot,class+load")).run(PAREX, "--version");
        assertFalse(result.out().contains("mismatch"), result.out());
        assertTrue(result.out().contains(Main.class.getName() + " source: shared objects file"), result.out());
    }

    /**
     * Counted in starts of a bare JVM on this machine, and in processor time: other work slows a start down but does
     * not make it cost more. A server that starts before the command line is read costs more than the limit.
     */
    @Test
    void shouldPrintHelpWithoutStartingAServer() throws Exception {
        Duration bare = cpuTime(JAVA, "-version");
        Duration help = cpuTime(PAREX, "--help");
        assertTrue(
                help.compareTo(bare.multipliedBy(MAX_BARE_STARTS)) < 0,
                () -> "--help takes %s, a bare JVM %s".formatted(help, bare));
    }

    private Shell shell(Map<String, String> environment) {
        return new Shell(elsewhere, environment);
    }

    /** The least user plus system time of three runs. */
    private Duration cpuTime(String... command) throws Exception {
        Duration least = Duration.ofDays(1);
        for (int run = 0; run < 3; run++) {
            List<String> timed = new ArrayList<>(List.of("sh", "-c", "\"$@\" >/dev/null 2>&1; times", "sh"));
            timed.addAll(List.of(command));
            Duration spent =
                    childTime(shell(Map.of()).run(timed.toArray(String[]::new)).out());
            least = spent.compareTo(least) < 0 ? spent : least;
        }
        return least;
    }

    /** Reads what the shell's {@code times} prints: its own times in the first line, its children's in the second. */
    private static Duration childTime(String printed) {
        Duration sum = Duration.ZERO;
        for (String part : printed.lines().toList().get(1).split(" ")) {
            sum = sum.plus(Duration.parse("PT" + part.replace(',', '.')));
        }
        return sum;
    }
}

package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code parex run --isolation process}: its processes live and end together. */
@Timeout(300)
class MemberWorldIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    @TempDir
    private Path folder;

    /** In the command line of every process of this test. */
    private final String mark = "-Dtest.mark=" + UUID.randomUUID();

    @Test
    void shouldRunAJobAndLeaveNoMember() throws Exception {
        try (ParexProcess run = start("--", "sh", "-c", "echo $RANK of $WORLD_SIZE")) {
            assertEquals(ExitCodes.GOOD, run.exit(), run::err);
            assertEquals(
                    List.of("[0] 0 of 2", "[1] 1 of 2"),
                    run.out().lines().sorted().toList());
            // The launcher's own is enough.
            assertFalse(run.err().contains("] WARNING: Using incubator modules"), run::err);
            assertEquals(List.of(), members());
        }
    }

    @Test
    void shouldSayWhichMemberWasKilledAndLeaveNone() throws Exception {
        try (ParexProcess run = start()) {
            run.place("rank-1");
            members().getFirst().destroyForcibly();
            assertEnded("ended with status 137 \\(signal 9\\)", run);
        }
    }

    /** Nobody starts it again: a job that did not need its rank just then would go on for ever. */
    @ParameterizedTest
    @CsvSource({"KILL, ended with status 137 \\(signal 9\\)", "TERM, ended with status 0"})
    void shouldEndTheJobWithAMember(String signal, String fate) throws Exception {
        String forever = JobProcessesTest.sleepForever();
        try (ParexProcess run = start("--", "sh", "-c", "echo up; " + forever)) {
            Awaitility.await().atMost(PATIENCE).until(() -> run.out().lines().count() == 2);
            ParexProcess.signal(members().getFirst(), signal);
            assertEnded(fate, run);
            assertEquals(List.of(), JobProcessesTest.running(forever));
        }
    }

    private void assertEnded(String fate, ParexProcess run) throws InterruptedException {
        assertEquals(ExitCodes.UNREACHABLE, run.exit(), run::err);
        String said = run.err().lines().reduce((first, last) -> last).orElseThrow();
        assertTrue(
                said.matches("parex run: the process of rank [01] \\(pid \\d+\\) " + fate + "; its last line: .*"),
                run::err);
        assertEquals(List.of(), members());
    }

    /** They are those of this command too: the same status as in one process. */
    @ParameterizedTest
    @CsvSource({
        "PAREX_TIMEOUT_CALL, 0s, parex.timeout.call (PAREX_TIMEOUT_CALL) is '0s'",
        "QUARKUS_GRPC_SERVER_PORT, 28655, quarkus.grpc.server.port (QUARKUS_GRPC_SERVER_PORT) is '28655'",
    })
    void shouldRefuseWrongSettings(String variable, String value, String text) throws Exception {
        try (ParexProcess run =
                new ParexProcess(folder, Map.of(variable, value), "run", "-n", "2", "--isolation", "process")) {
            assertEquals(ExitCodes.USAGE, run.exit(), run::err);
            String said = run.err().lines().reduce((first, last) -> last).orElseThrow();
            assertTrue(said.startsWith("parex run: ") && said.contains(text), run::err);
        }
    }

    @Test
    void shouldLeaveNoMemberWhenItIsKilled() throws Exception {
        try (ParexProcess run = start()) {
            run.place("rank-1");
            assertEquals(2, members().size());
            run.kill();
            Awaitility.await().atMost(PATIENCE).until(() -> members().isEmpty());
        }
    }

    private ParexProcess start(String... job) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("run", "-n", "2", "--isolation", "process"));
        arguments.addAll(List.of(job));
        return new ParexProcess(folder, Map.of("PAREX_JAVA_OPTS", mark), arguments.toArray(String[]::new));
    }

    private List<ProcessHandle> members() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(mark) && line.endsWith(" " + MemberCommand.NAME))
                        .isPresent())
                .toList();
    }
}

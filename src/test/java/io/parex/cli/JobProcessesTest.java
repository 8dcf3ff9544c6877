package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A job of two shells. */
@Timeout(60)
class JobProcessesTest {
    private static final String FOREVER = sleepForever();
    private static final ParexException LOSS = new ParexException(ErrorKind.UNAVAILABLE, "a rank has ended");
    private static final CompletableFuture<Void> NEVER = new CompletableFuture<>();

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final JobProcesses job = new JobProcesses(stream(out), stream(err));

    @AfterEach
    void leaveNoneBehind() {
        job.close();
        assertEquals(List.of(), running(FOREVER));
    }

    @Test
    void shouldKeepOutputAndErrorsApart() throws InterruptedException {
        start("echo to out; echo to err >&2");
        assertEquals(0, job.await(NEVER));
        assertEquals(List.of("[0] to out", "[1] to out"), sortedLines(out));
        assertEquals(List.of("[0] to err", "[1] to err"), sortedLines(err));
    }

    @Test
    void shouldEndWithTheFirstFailureAndEndTheOthers() throws InterruptedException {
        start("[ $RANK = 0 ] || exit 42; " + FOREVER);
        assertEquals(42, job.await(NEVER));
    }

    @Test
    void shouldShowTheSignalThatEndedAProcess() throws InterruptedException {
        start("kill -9 $$");
        assertEquals(128 + 9, job.await(NEVER));
    }

    @Test
    void shouldEndWhatTheProcessesHaveStarted() throws InterruptedException {
        start(FOREVER + " & [ $RANK = 0 ] || exit 3; wait");
        assertEquals(3, job.await(NEVER));
        assertEquals(List.of(), running(FOREVER));
    }

    /** Its parent is gone when the job ends, and it has left the parent's session too. */
    @Test
    void shouldEndOrphans() throws InterruptedException {
        start("setsid " + FOREVER + " >/dev/null 2>&1 &");
        assertEquals(0, job.await(NEVER));
        assertEquals(List.of(), running(FOREVER));
    }

    @Test
    void shouldEndByForceWhatDoesNotEndWhenAsked() {
        start("trap '' TERM; echo deaf; while :; do " + FOREVER + "; done");
        Awaitility.await().until(() -> sortedLines(out).size() == 2);
        job.end();
        assertEquals(List.of(), running(FOREVER));
    }

    @Test
    void shouldNameACommandThatCannotBeStarted() {
        ParexException refused =
                assertThrows(ParexException.class, () -> job.start(0, List.of("/no/such/program"), Map.of()));
        assertEquals(ErrorKind.ARGUMENT, refused.kind());
        assertTrue(refused.getMessage().contains("/no/such/program"), refused.getMessage());
    }

    @Test
    void shouldEndAllWhenWhatTheyNeedIsLost() {
        CompletableFuture<Void> lost = new CompletableFuture<>();
        start("echo up; " + FOREVER);
        Awaitility.await().until(() -> sortedLines(out).size() == 2);
        lost.completeExceptionally(LOSS);
        assertSame(LOSS, assertThrows(ParexException.class, () -> job.await(lost)));
        assertEquals(List.of(), running(FOREVER));
    }

    /** The loss is why it has failed, though that is heard of later. */
    @Test
    void shouldTellOfTheLossThatAProcessHasFailedBy() {
        CompletableFuture<Void> lost = new CompletableFuture<>();
        OutputStream telling = new ByteArrayOutputStream() {
            @Override
            public void write(byte[] text, int from, int length) {
                lost.completeExceptionally(LOSS);
            }
        };
        try (JobProcesses failing = new JobProcesses(stream(telling), stream(err))) {
            start(failing, "trap 'echo ends' TERM; [ $RANK = 0 ] || exit 3; " + FOREVER + " & wait");
            assertSame(LOSS, assertThrows(ParexException.class, () -> failing.await(lost)));
        }
    }

    @Test
    void shouldNotMindALossWhenItIsToldToEnd() throws InterruptedException {
        CompletableFuture<Void> lost = new CompletableFuture<>();
        start("echo up; " + FOREVER);
        Awaitility.await().until(() -> sortedLines(out).size() == 2);
        job.end();
        lost.completeExceptionally(LOSS);
        assertEquals(128 + 15, job.await(lost));
    }

    /** Work without an end, whose command line is that of nobody else on the machine. */
    static String sleepForever() {
        return "sleep " + (100_000_000 + System.nanoTime() % 800_000_000);
    }

    private void start(String script) {
        start(job, script);
    }

    private static void start(JobProcesses job, String script) {
        for (int rank = 0; rank < 2; rank++) {
            job.start(rank, List.of("sh", "-c", script), Map.of("RANK", Integer.toString(rank)));
        }
    }

    private static List<String> sortedLines(ByteArrayOutputStream written) {
        return written.toString(StandardCharsets.UTF_8).lines().sorted().toList();
    }

    private static PrintStream stream(OutputStream to) {
        return new PrintStream(to, false, StandardCharsets.UTF_8);
    }

    /** Living processes of that command line. */
    static List<String> running(String command) {
        return ProcessHandle.allProcesses()
                .map(process -> process.info().commandLine().orElse(""))
                .filter(line -> line.endsWith(command))
                .toList();
    }
}

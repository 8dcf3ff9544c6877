package io.parex.cli;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Ends a job's processes when this process has no more chance to: after {@code kill -9}, or out of memory. A small
 * shell waits for the end of a pipe that this process holds open and that the system closes for it. It knows the job's
 * processes, and all that they have started, by a variable in their environment; a death signal of the kernel would
 * reach the first of them only. Linux: it looks into {@code /proc}.
 */
final class JobGuard implements AutoCloseable {
    /** The variable; of a job in a job the inner one counts, which the inner Parex ends. */
    static final String VARIABLE = "PAREX_JOB";

    private static final String GOOD_END = "end\n";
    private static final long CLOSE_SECONDS = 5;

    /**
     * Asks first; after five looks, a second apart, ends by force. Two looks that find none are the end: one process
     * may have been about to start another. It ignores the signals that a terminal sends to all at once.
     */
    private static final String SCRIPT = """
            trap '' INT TERM HUP QUIT
            read -r line && exit 0
            signal=TERM looks=0 clear=0
            while [ $clear -lt 2 ] && [ $looks -lt 60 ]; do
                found=$(grep -lazx "$1" /proc/[0-9]*/environ 2>/dev/null | cut -d / -f 3)
                clear=$((clear + 1)) looks=$((looks + 1))
                [ $looks -le 5 ] || signal=KILL
                for pid in $found; do
                    kill -$signal "$pid" 2>/dev/null && clear=0
                done
                sleep 1
            done
            """;

    private final String mark = UUID.randomUUID().toString();
    private final Process process;

    /** On guard from now on. Where no shell can be started, nobody is. */
    JobGuard() {
        Process started = null;
        try {
            ProcessBuilder shell = new ProcessBuilder("sh", "-c", SCRIPT, "parex-guard", VARIABLE + "=" + mark)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD);
            // Of a Parex that is itself part of a job: the guard of that job is to leave this one to its work.
            shell.environment().remove(VARIABLE);
            started = shell.start();
        } catch (IOException e) {
            System.getLogger(JobGuard.class.getName())
                    .log(System.Logger.Level.WARNING, "a kill -9 of this process would leave its job running: {0}", e);
        }
        process = started;
    }

    /** What each process of the job has in its environment. */
    Map<String, String> environment() {
        return Map.of(VARIABLE, mark);
    }

    /** Whether this is the guard, which is no process of the job. */
    boolean is(ProcessHandle other) {
        return process != null && process.pid() == other.pid();
    }

    /** The job has ended: nothing is left to guard. Idempotent. */
    @Override
    public void close() {
        if (process == null || !process.isAlive()) {
            return;
        }
        try {
            process.getOutputStream().write(GOOD_END.getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
            if (!process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            // It has ended already.
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

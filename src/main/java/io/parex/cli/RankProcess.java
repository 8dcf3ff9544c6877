package io.parex.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A process that this one has started for a rank: Parex once more, with the Java, the flags and the classes of this
 * one. Its lines on standard error come to this process, prefixed. It ends when its standard input does, so that none
 * is left when this process is killed. Any thread.
 */
final class RankProcess {
    /** Of every start of Parex; that of the launcher is enough. */
    private static final String JVM_WARNING = "WARNING: Using incubator modules";

    /** For a process that has said its last to be gone, and for its last lines. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** The lowest exit status that names a signal, less one. */
    private static final int SIGNALLED = 128;

    private final Process process;
    private final Thread pump;
    private volatile String lastLine;

    private RankProcess(Process process, String prefix, PrintStream err) {
        this.process = process;
        this.pump = LinePump.start(prefix, process.getErrorStream(), err, this::isShown);
    }

    /**
     * Starts one.
     *
     * @param launcher command that becomes the one appended to it; may be empty
     * @param command the hidden command that is a rank
     * @param settings added to the environment
     * @param prefix of its lines
     */
    static RankProcess start(
            List<String> launcher, String command, Map<String, String> settings, String prefix, PrintStream err)
            throws IOException {
        List<String> whole = new ArrayList<>(launcher);
        whole.addAll(SelfProcess.command(List.of(command)));
        ProcessBuilder builder = new ProcessBuilder(whole);
        builder.environment().putAll(settings);
        return new RankProcess(builder.start(), prefix, err);
    }

    private boolean isShown(String line) {
        if (line.startsWith(JVM_WARNING)) {
            return false;
        }
        lastLine = line;
        return true;
    }

    OutputStream input() {
        return process.getOutputStream();
    }

    InputStream output() {
        return process.getInputStream();
    }

    long pid() {
        return process.pid();
    }

    /** How it has ended, in words to follow its name; waits a moment for that, and for its last line. */
    String fate() {
        try {
            if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                return "answers no more";
            }
            pump.join(GRACE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "is given up";
        }
        int status = process.exitValue();
        String signal = status > SIGNALLED ? " (signal " + (status - SIGNALLED) + ")" : "";
        return "ended with status " + status + signal
                + (lastLine == null ? " and without a word" : "; its last line: " + lastLine);
    }

    /** Whether it has ended because a setting, which it has from this process, is wrong. */
    boolean hasRefusedItsSettings() {
        return !process.isAlive() && process.exitValue() == ExitCodes.USAGE;
    }

    /** Tells it to end, by the end of its input. */
    void tellToEnd() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It has ended already.
        }
    }

    /**
     * Waits for its end and its last line, and forces the end when {@code limit} has passed.
     *
     * @return its exit status; that of a failed check if it cannot even be forced to end
     */
    int awaitEnd(Duration limit) throws InterruptedException {
        try {
            if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                process.destroyForcibly().waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
            }
            pump.join(GRACE);
            return process.isAlive() ? ExitCodes.CHECK_FAILED : process.exitValue();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw e;
        }
    }
}

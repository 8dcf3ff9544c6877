package io.parex.cli;

import io.parex.bench.BenchListener;
import io.parex.bench.PointResult;
import io.parex.bench.Series;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a benchmark is doing, on a line of a terminal that is written over and cleared before each result. */
final class ProgressLine implements BenchListener {
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");
    private static final String CLEAR = "\r\u001b[K";

    private final PrintWriter terminal;
    private final BenchListener results;

    /** Shows progress on {@code terminal}, and passes on everything to {@code results}. */
    ProgressLine(PrintWriter terminal, BenchListener results) {
        this.terminal = terminal;
        this.results = results;
    }

    /** Whether standard error is a terminal; the JDK tells only whether input and output both are. */
    static boolean isStandardErrorATerminal() {
        try {
            String target = Files.readSymbolicLink(STANDARD_ERROR).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return false; // another system, or closed
        }
    }

    @Override
    public void started(Series series) {
        show("");
        results.started(series);
    }

    @Override
    public void progress(String activity) {
        show(activity);
        results.progress(activity);
    }

    @Override
    public void measured(PointResult point) {
        show("");
        results.measured(point);
    }

    @Override
    public void ended(Series series) {
        show("");
        results.ended(series);
    }

    private void show(String text) {
        terminal.print(CLEAR + text);
        terminal.flush();
    }
}

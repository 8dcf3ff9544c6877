package io.parex.cli;

import io.parex.bench.BenchListener;
import io.parex.bench.PointResult;
import io.parex.bench.Series;
import java.io.PrintWriter;

/** What a benchmark is doing, on a line of a terminal that is written over and cleared before each result. */
final class ProgressLine implements BenchListener {
    private final TerminalLine terminal;
    private final BenchListener results;

    /** Shows progress on {@code terminal}, and passes on everything to {@code results}. */
    ProgressLine(PrintWriter terminal, BenchListener results) {
        this.terminal = new TerminalLine(terminal);
        this.results = results;
    }

    @Override
    public void started(Series series) {
        terminal.show("");
        results.started(series);
    }

    @Override
    public void progress(String activity) {
        terminal.show(activity);
        results.progress(activity);
    }

    @Override
    public void measured(PointResult point) {
        terminal.show("");
        results.measured(point);
    }

    @Override
    public void ended(Series series) {
        terminal.show("");
        results.ended(series);
    }
}

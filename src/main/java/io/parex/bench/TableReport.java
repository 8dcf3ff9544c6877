package io.parex.bench;

import java.io.PrintWriter;
import java.util.Locale;

/** The columns of nccl-tests, a table for each series. */
public final class TableReport implements BenchListener {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final String HEAD = "#%11s  %12s  %8s  %7s  %5s  %18s  %11s  %8s  %8s  %7s  %11s  %11s";
    private static final String ROW = "%12d  %12d  %8s  %7s  %5s  %18s  %11.2f  %8.3f  %8.3f  %7d  %11.2f  %11.2f";

    private final PrintWriter out;
    private long wrong;
    private double busbwSum;
    private int points;

    /** Prints to {@code out}, line by line. */
    public TableReport(PrintWriter out) {
        this.out = out;
    }

    /** What is measured and where, before the first table. */
    public void head(Environment environment, Timing timing) {
        line("# parex bench: commit %s, jdk %s", environment.commit(), environment.jdk());
        line(
                "# ranks %d, isolation %s, via %s, %d processors",
                environment.ranks(),
                environment.isolation(),
                environment.via(),
                Runtime.getRuntime().availableProcessors());
        line("# time: the slowest rank's mean per call, median of %d rounds; 1 GB = 10^9 bytes", timing.rounds());
    }

    @Override
    public void started(Series series) {
        wrong = 0;
        busbwSum = 0;
        points = 0;
        line("#");
        line("# %s", series);
        line(
                HEAD,
                "size",
                "count",
                "type",
                "redop",
                "root",
                "algorithm",
                "time",
                "algbw",
                "busbw",
                "#wrong",
                "p50",
                "p99");
        line(HEAD, "(B)", "(elements)", "", "", "", "", "(us)", "(GB/s)", "(GB/s)", "", "(us)", "(us)");
    }

    @Override
    public void progress(String activity) {
        // only for people who wait
    }

    @Override
    public void measured(PointResult point) {
        Figures figures = point.figures();
        wrong += figures.wrong();
        busbwSum += point.busbwGbs();
        points++;
        line(
                ROW,
                point.bytes(),
                point.count(),
                point.typeLabel(),
                point.opLabel(),
                point.root(),
                point.algorithm(),
                figures.meanNanos() / NANOS_PER_MICRO,
                point.algbwGbs(),
                point.busbwGbs(),
                figures.wrong(),
                figures.medianNanos() / NANOS_PER_MICRO,
                figures.p99Nanos() / NANOS_PER_MICRO);
    }

    @Override
    public void ended(Series series) {
        line("# Out of bounds values : %d %s", wrong, wrong == 0 ? "OK" : "FAILED");
        line("# Avg bus bandwidth    : %.5f", points == 0 ? 0 : busbwSum / points);
    }

    private void line(String format, Object... arguments) {
        out.println(String.format(Locale.ROOT, format, arguments));
        out.flush(); // each row is there when it has been measured
    }
}

package io.parex.demo;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;

/** What {@code parex demo} prints: a line per epoch while it trains, tables and a verdict at the end. */
final class DemoReport {
    private static final int DIFFERENCES_PER_LINE = 8;

    private final PrintStream out;
    private final Recipe recipe;
    private boolean held;

    DemoReport(PrintStream out, Recipe recipe) {
        this.out = out;
        this.recipe = recipe;
    }

    /** Whether everything held; false until {@link #last} has been printed. */
    boolean held() {
        return held;
    }

    /** What is going to be done, and the head of the epochs' table. */
    void start(Digits.Split digits, int size) {
        int parameters = new Perceptron(recipe.hidden()).parameterCount();
        line(
                "data      %d handwritten digits to train on, %d held out",
                recipe.trainingCount(), digits.heldOut().count());
        line("model     perceptron %d-%d-%d", Digits.PIXELS, recipe.hidden(), Digits.CLASSES);
        line("workers   %d, each through its own rank, %d digits each a step", size, recipe.batchCount() / size);
        line("steps     %d an epoch, each an all_reduce of %d float32", recipe.stepsPerEpoch(), parameters);
        line("");
        line("%7s  %12s  %17s  %21s", "epoch", "loss", "held-out accuracy", "all_reduce busbw GB/s");
    }

    /** One epoch's line; called on a worker's thread. */
    void epoch(EpochBoard.Progress progress) {
        EpochResult result = progress.result();
        String epoch = result.epoch() + "/" + recipe.epochs();
        line("%7s  %12.8f  %17.4f  %21.3f", epoch, result.loss(), result.accuracy(), progress.busbwGBs());
        out.flush();
    }

    /**
     * The tables and the verdict.
     *
     * @param places where to look further: what is there, and its address
     */
    void last(Training.Outcome outcome, Verdict verdict, SequencedMap<String, String> places) {
        held = verdict.held();
        differences(verdict.differences());
        times(outcome.slowestTimes());
        line("");
        line("%-40s  %-8s  %-8s  %s", "check", "value", "bound", "held");
        check(
                "final held-out accuracy",
                "%.4f",
                verdict.accuracy(),
                ">= " + Verdict.MIN_ACCURACY,
                verdict.accuracyHeld());
        check(
                "largest difference of an epoch",
                "%.1e",
                verdict.largestDifference(),
                "<= 1e-4",
                verdict.differenceHeld());
        check(
                "difference of the last parameters",
                "%.1e",
                verdict.parameterDifference(),
                "<= 1e-4",
                verdict.parameterDifferenceHeld());
        boolean equal = verdict.parametersEqual();
        checkRow("last parameters of all workers", equal ? "equal" : "differ", "equal", equal);
        line("");
        places.forEach((what, address) -> line("%-9s %s", what, address));
        line(held ? "demo held" : "demo did NOT hold");
        out.flush();
    }

    /** Says why there is no verdict. */
    void failed(String message) {
        line("demo failed: %s", message);
        out.flush();
    }

    private void differences(List<Double> differences) {
        line("");
        line("relative difference from the same training by one plain loop, epoch by epoch (loss or accuracy)");
        for (int from = 0; from < differences.size(); from += DIFFERENCES_PER_LINE) {
            int to = Math.min(from + DIFFERENCES_PER_LINE, differences.size());
            StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%7s", (from + 1) + "-" + to));
            for (double difference : differences.subList(from, to)) {
                row.append(String.format(Locale.ROOT, "  %.1e", difference));
            }
            line("%s", row);
        }
    }

    private void times(List<PrimitiveTime> times) {
        line("");
        line("time by primitive, of the worker that spent most, waiting for the others included");
        line("%-12s  %6s  %12s  %9s  %9s", "primitive", "count", "bytes a call", "total s", "mean ms");
        for (PrimitiveTime time : times) {
            line(
                    "%-12s  %6d  %12d  %9.3f  %9.3f",
                    time.primitive(), time.count(), time.meanBytes(), time.totalSeconds(), time.meanMillis());
        }
    }

    private void check(String what, String format, double value, String bound, boolean checkHeld) {
        checkRow(what, String.format(Locale.ROOT, format, value), bound, checkHeld);
    }

    private void checkRow(String what, String value, String bound, boolean checkHeld) {
        line("%-40s  %-8s  %-8s  %s", what, value, bound, checkHeld ? "yes" : "NO");
    }

    private void line(String format, Object... arguments) {
        out.println(String.format(Locale.ROOT, format, arguments));
    }
}

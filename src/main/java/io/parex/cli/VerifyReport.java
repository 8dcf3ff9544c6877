package io.parex.cli;

import io.parex.bench.verify.Check;
import io.parex.bench.verify.VerifyListener;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Failures and the result of a verification on standard output; how far it is on a terminal. */
final class VerifyReport implements VerifyListener {
    private static final double NANOS_PER_SECOND = 1e9;

    private final PrintWriter out;
    private final TerminalLine terminal;
    private final int checks;

    /**
     * Prints to {@code out}.
     *
     * @param terminal for people who wait; null if nobody does
     * @param checks how many there are
     */
    VerifyReport(PrintWriter out, PrintWriter terminal, int checks) {
        this.out = out;
        this.terminal = terminal == null ? null : new TerminalLine(terminal);
        this.checks = checks;
    }

    @Override
    public void progress(long done, Check next) {
        show(done + " of " + checks + ", " + next.id());
    }

    @Override
    public void failed(Check check, List<String> faults) {
        show("");
        out.println("FAILED " + check.id());
        faults.forEach(fault -> out.println("  " + fault));
        out.println("  again: parex verify -n " + check.ranks() + " --only " + check.id());
        out.flush();
    }

    /** The last lines. */
    void end(long nanos, long passed, long failed) {
        show("");
        out.println(String.format(Locale.ROOT, "# %d checks in %.1f s", passed + failed, nanos / NANOS_PER_SECOND));
        out.println(passed + " passed, " + failed + " failed");
        out.flush();
    }

    private void show(String text) {
        if (terminal != null) {
            terminal.show(text);
        }
    }
}

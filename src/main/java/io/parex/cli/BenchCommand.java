package io.parex.cli;

import io.parex.ParexException;
import io.parex.bench.Bench;
import io.parex.bench.BenchListener;
import io.parex.bench.BenchPlan;
import io.parex.bench.CallShape;
import io.parex.bench.Environment;
import io.parex.bench.JsonReport;
import io.parex.bench.Sizes;
import io.parex.bench.TableReport;
import io.parex.bench.Timing;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures primitives on a local world. */
@Command(
        name = "bench",
        sortOptions = false,
        description = "Verify and time primitives on a local world, in the columns of nccl-tests.",
        footer = {
            "",
            "The time of a point is the slowest rank's mean per call, median of the rounds. Every result is compared, "
                    + "whole and on every rank, with exact values before and after timing. send and recv go to and "
                    + "fro between ranks 0 and 1 and show the time one way; send_recv shifts around the ring of all "
                    + "ranks. A v-form cuts its tensor into uneven blocks, that of rank r in proportion to 2r+1. "
                    + "premul_sum multiplies by 2. Exit status 1 if any value was wrong."
        })
final class BenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private RanksOption ranks = new RanksOption();

    @Option(
            names = "--primitive",
            paramLabel = "NAME",
            split = ",",
            defaultValue = "all_reduce",
            description = "Primitives or v-forms, such as all_gather,reduce_scatter, or all "
                    + "(default: ${DEFAULT-VALUE}).")
    private List<String> primitives;

    @Option(
            names = "--min-bytes",
            paramLabel = "SIZE",
            defaultValue = "8",
            converter = ByteSizeConverter.class,
            description =
                    "Least size of the larger side's buffer, such as 64K or 1MiB, rounded down to whole elements, and "
                            + "to equal blocks of at least one (default: ${DEFAULT-VALUE}).")
    private long minBytes;

    @Option(
            names = "--max-bytes",
            paramLabel = "SIZE",
            defaultValue = "64M",
            converter = ByteSizeConverter.class,
            description = "Last size (default: ${DEFAULT-VALUE}).")
    private long maxBytes;

    @Option(
            names = "--factor",
            paramLabel = "N",
            defaultValue = "4",
            description = "From one size to the next (default: ${DEFAULT-VALUE}).")
    private int factor;

    @Option(
            names = "--dtype",
            paramLabel = "TYPE",
            defaultValue = "float32",
            converter = Labels.OfDataType.class,
            description = "Element type (default: ${DEFAULT-VALUE}).")
    private DataType type;

    @Option(
            names = "--op",
            paramLabel = "OP",
            defaultValue = "sum",
            converter = Labels.OfReduceOp.class,
            description = "Reduction: sum, avg, min, max, product, band, bor, bxor, premul_sum (default: "
                    + "${DEFAULT-VALUE}).")
    private ReduceOp op;

    @Option(
            names = "--algorithm",
            paramLabel = "NAME",
            split = ",",
            defaultValue = "auto",
            description = "auto: the planner's choice; all: each there is; or names (default: ${DEFAULT-VALUE}).")
    private List<String> algorithms;

    @Option(
            names = "--root",
            paramLabel = "RANK",
            defaultValue = "0",
            description = "Root, where there is one (default: ${DEFAULT-VALUE}).")
    private int root;

    @Option(names = "--in-place", description = "Input and output share memory, where they can.")
    private boolean inPlace;

    @Option(
            names = "--caller",
            paramLabel = "KIND",
            defaultValue = "thread",
            description = "thread: one that blocks per rank; loop: each call starts where the one before completes, on "
                    + "the owner loop; both (default: ${DEFAULT-VALUE}).")
    private String caller;

    @Mixin
    private TimingOptions timing = new TimingOptions();

    @Option(
            names = "--isolation",
            paramLabel = "KIND",
            defaultValue = "process",
            converter = Labels.OfIsolation.class,
            description = "process: each rank in a process of its own, joined by TCP on this host; jvm: all in one "
                    + "process, joined by reference (default: ${DEFAULT-VALUE}).")
    private Isolation isolation;

    @Option(
            names = "--via",
            paramLabel = "WAY",
            defaultValue = "fabric",
            description = "fabric: the Java API of the ranks (default: ${DEFAULT-VALUE}).")
    private String via;

    @Option(names = "--json", description = "One JSON object a line instead of tables.")
    private boolean json;

    @Override
    public Integer call() {
        requireOnly("--via", via, "fabric");
        BenchSettings.check(ranks.count(), Given.here());
        BenchSettings.chooseKernels(Given.here());
        BenchPlan plan = plan();
        BenchMemory memory = BenchMemory.of(plan, isolation);
        memory.requireAvailable(plan);
        PrintWriter out = spec.commandLine().getOut();
        Environment environment = Environment.here(BuildInfo.read().commit(), plan.ranks(), isolation.label());
        BenchListener report = report(out, environment, plan.timing());
        if (TerminalLine.isStandardError()) {
            report = new ProgressLine(spec.commandLine().getErr(), report);
        }
        return exitCode(
                isolation == Isolation.JVM
                        ? Bench.inJvm(plan, report, memory.scratchBytes()).run()
                        : runMembers(plan, report, memory.scratchBytes()));
    }

    private static long runMembers(BenchPlan plan, BenchListener report, long scratchBytes) {
        try (MemberProcesses members = MemberProcesses.start(plan.ranks(), System.err);
                StopSignal _ = new StopSignal(members::close)) {
            try {
                return Bench.ofMembers(plan, report, members.channels(), scratchBytes)
                        .run();
            } catch (ParexException e) {
                if (members.isClosed()) {
                    return 0; // broken off from outside, which is the exit status, and no fault of a member
                }
                throw e;
            }
        }
    }

    /** The status for so many wrong elements. */
    static int exitCode(long wrong) {
        return wrong == 0 ? ExitCodes.GOOD : ExitCodes.CHECK_FAILED;
    }

    private BenchPlan plan() {
        return new BenchPlan(
                ranks.count(),
                new BenchChoice(ranks.count()).series(primitives, algorithms, caller),
                new Sizes(minBytes, maxBytes, factor),
                new CallShape(type, op, root, inPlace),
                timing.timing());
    }

    private BenchListener report(PrintWriter out, Environment environment, Timing chosen) {
        if (json) {
            return new JsonReport(out, environment, chosen);
        }
        TableReport table = new TableReport(out);
        table.head(environment, chosen);
        return table;
    }

    private void requireOnly(String option, String chosen, String available) {
        if (!chosen.equals(available)) {
            throw new ParameterException(
                    spec.commandLine(),
                    option + " " + chosen + " is not available in this release; available: " + available);
        }
    }
}

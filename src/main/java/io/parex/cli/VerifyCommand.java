package io.parex.cli;

import io.parex.ParexException;
import io.parex.bench.verify.Check;
import io.parex.bench.verify.CheckFilter;
import io.parex.bench.verify.CheckList;
import io.parex.bench.verify.Coverage;
import io.parex.bench.verify.Verify;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Checks every primitive, algorithm, type and operation on local worlds against plain arithmetic. */
@Command(
        name = "verify",
        sortOptions = false,
        description = "Check every primitive, algorithm, type and operation on local worlds against plain arithmetic.",
        footer = {
            "",
            "A check is one call on all ranks, of which every output is compared whole; inputs, and bytes beside the "
                    + "tensors, must be as they were. Integers are exact. Floating types are exact where inputs are, "
                    + "or where elements are combined in the order of the ranks, else within the bound of the order of "
                    + "summation; all ranks must have the same bits. Exit status 1 if any check failed."
        })
final class VerifyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-n", "--ranks"},
            paramLabel = "SIZES",
            defaultValue = "1..4",
            converter = WorldSizes.Converter.class,
            description = "Sizes of worlds, 1 to " + WorldSizes.MAX
                    + ", such as 4 or 1..9 or 2,4,7..9 (default: ${DEFAULT-VALUE}).")
    private WorldSizes sizes;

    @Option(
            names = "--primitive",
            paramLabel = "NAME",
            split = ",",
            converter = Labels.OfPrimitive.class,
            description = "Only these primitives or v-forms.")
    private Set<Primitive> primitives = Set.of();

    @Option(
            names = "--algorithm",
            paramLabel = "NAME",
            split = ",",
            converter = Labels.OfAlgorithm.class,
            description = "Only these algorithms; auto: the planner's choice; direct: messages, too.")
    private Set<String> algorithms = Set.of();

    @Option(
            names = "--dtype",
            paramLabel = "TYPE",
            split = ",",
            converter = Labels.OfDataType.class,
            description = "Only these element types.")
    private Set<DataType> types = Set.of();

    @Option(
            names = "--op",
            paramLabel = "OP",
            split = ",",
            converter = Labels.OfReduceOp.class,
            description = "Only these reductions.")
    private Set<ReduceOp> ops = Set.of();

    @Option(names = "--only", paramLabel = "CHECK", description = "Only this check, as --list and failures name it.")
    private String only;

    @Option(names = "--list", description = "Print the checks and what they cover, and run none.")
    private boolean list;

    @Option(
            names = "--isolation",
            paramLabel = "KIND",
            defaultValue = "jvm",
            converter = Labels.OfIsolation.class,
            description = "jvm: all ranks in this process, joined by reference (default: ${DEFAULT-VALUE}).")
    private Isolation isolation;

    @Override
    public Integer call() {
        if (isolation != Isolation.JVM) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--isolation " + isolation.label() + " is not available for verify; available: jvm");
        }
        BenchSettings.chooseKernels(Given.here());
        CheckFilter filter = new CheckFilter(primitives, algorithms, types, ops, only);
        List<List<Check>> worlds =
                sizes.values().stream().map(size -> CheckList.of(size, filter)).toList();
        List<Check> all = worlds.stream().flatMap(List::stream).toList();
        if (all.isEmpty()) {
            throw ParexException.argument("there is no such check for worlds of " + sizes.values() + " ranks"
                    + (only == null ? "" : ": " + only));
        }
        PrintWriter out = spec.commandLine().getOut();
        if (list) {
            all.forEach(out::println);
        }
        new Coverage(sizes.values(), all).lines().forEach(out::println);
        out.flush();
        return list ? ExitCodes.GOOD : run(worlds, all.size(), out);
    }

    private int run(List<List<Check>> worlds, int checks, PrintWriter out) {
        long begin = System.nanoTime();
        PrintWriter terminal =
                TerminalLine.isStandardError() ? spec.commandLine().getErr() : null;
        VerifyReport report = new VerifyReport(out, terminal, checks);
        try (Verify verify = new Verify(report)) {
            worlds.forEach(verify::run);
            report.end(System.nanoTime() - begin, verify.passed(), verify.failed());
            return verify.failed() == 0 ? ExitCodes.GOOD : ExitCodes.CHECK_FAILED;
        }
    }
}

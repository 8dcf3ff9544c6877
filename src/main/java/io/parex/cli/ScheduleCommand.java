package io.parex.cli;

import io.parex.ParexException;
import io.parex.algorithm.Algorithm;
import io.parex.planner.AlgorithmRegistry;
import io.parex.schedule.Placement;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import io.parex.schedule.ScheduleDiagram;
import io.parex.schedule.ScheduleJson;
import io.parex.schedule.SchedulePrinter;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what an algorithm does, rank by rank; nothing runs. */
@Command(
        name = "schedule",
        sortOptions = false,
        description = "Print the steps of an algorithm and what each waits for: 3 for an element-wise wait for step 3, "
                + "3! for a wait until it is over.")
final class ScheduleCommand implements Runnable {
    private static final List<String> FORMATS = List.of("table", "mermaid", "json");

    private final AlgorithmRegistry registry = AlgorithmRegistry.standard();

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "PRIMITIVE", description = "Such as all_reduce.")
    private String primitive;

    @Parameters(index = "1", paramLabel = "ALGORITHM", description = "Such as ring.")
    private String algorithm;

    @Mixin
    private RanksOption ranks = new RanksOption();

    @Option(names = "--rank", paramLabel = "RANK", description = "Only this rank (default: all).")
    private Integer rank;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Elements of the tensor (default: ${DEFAULT-VALUE}).")
    private long count;

    @Option(
            names = "--root",
            paramLabel = "RANK",
            defaultValue = "0",
            description = "Root, where there is one (default: ${DEFAULT-VALUE}).")
    private int root;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table; mermaid: a sequence diagram; json: an object a rank and line (default: "
                    + "${DEFAULT-VALUE}).")
    private String format;

    @Option(
            names = "--ranks-per-node",
            paramLabel = "N",
            defaultValue = "1",
            description = "Ranks that share a host, in order, for algorithms that look at it (default: "
                    + "${DEFAULT-VALUE}).")
    private int ranksPerNode;

    @Option(names = "--in-place", description = "Input and output are the same memory.")
    private boolean inPlace;

    @Override
    public void run() {
        Algorithm chosen = registry.find(primitive(), algorithm);
        requireRank("--root", root);
        if (rank != null) {
            requireRank("--rank", rank);
        }
        if (!FORMATS.contains(format)) {
            throw ParexException.argument("no format '" + format + "'; known: " + String.join(", ", FORMATS));
        }
        if (count < 0) {
            throw ParexException.argument("--count must be at least 0, not " + count);
        }
        if (ranksPerNode < 1) {
            throw ParexException.argument("--ranks-per-node must be at least 1, not " + ranksPerNode);
        }
        Placement placement = Placement.of(ranks.count(), each -> each / ranksPerNode);
        boolean divides = count % ranks.count() == 0;
        Primitive asked = divides ? chosen.primitive() : chosen.primitive().vForm();
        if (!chosen.handles(asked, ranks.count())) {
            throw ParexException.argument("--count must be a multiple of " + ranks.count() + " for the algorithm '"
                    + algorithm + "', not " + count);
        }
        List<Schedule> schedules = IntStream.range(0, ranks.count())
                .filter(each -> rank == null || rank == each)
                .mapToObj(each -> chosen.schedule(Problem.of(asked, each, ranks.count(), count, root, inPlace)
                        .on(placement)))
                .toList();
        PrintWriter out = spec.commandLine().getOut();
        out.print(text(schedules));
        out.flush();
    }

    private String text(List<Schedule> schedules) {
        return switch (format) {
            case "mermaid" -> ScheduleDiagram.mermaid(schedules);
            case "json" -> schedules.stream().map(ScheduleJson::line).collect(Collectors.joining("\n", "", "\n"));
            default -> SchedulePrinter.print(schedules);
        };
    }

    private Primitive primitive() {
        List<Primitive> known =
                registry.all().stream().map(Algorithm::primitive).distinct().toList();
        return known.stream()
                .filter(each -> each.label().equals(primitive))
                .findFirst()
                .orElseThrow(() -> ParexException.argument("no primitive '" + primitive + "' with algorithms; known: "
                        + known.stream().map(Primitive::label).collect(Collectors.joining(", "))));
    }

    private void requireRank(String option, int value) {
        if (value < 0 || value >= ranks.count()) {
            throw ParexException.argument(option + " " + value + " is not a rank of a world of " + ranks.count());
        }
    }
}

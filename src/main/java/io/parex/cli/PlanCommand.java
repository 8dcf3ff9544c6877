package io.parex.cli;

import io.parex.ParexException;
import io.parex.algorithm.Algorithm;
import io.parex.algorithm.Shape;
import io.parex.bench.JsonObject;
import io.parex.planner.AlgorithmRegistry;
import io.parex.planner.CostTable;
import io.parex.planner.Forecast;
import io.parex.planner.LinkCosts;
import io.parex.planner.LinkKind;
import io.parex.planner.PricedNetwork;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.Reductions;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Predicts what algorithms take on a network that need not be there. */
@Command(
        name = "plan",
        sortOptions = false,
        description =
                "Predict the time of each algorithm on a network of hosts, by simulating its schedule, best first.",
        footer = {
            "",
            "Schedules of too many steps are priced by the formula of the algorithm, which the table says. The hosts "
                    + "are as far from each other, and have a full-duplex card each, which their ranks share."
        })
final class PlanCommand implements Runnable {
    private static final int MAX_RANKS = 65_536;
    private static final int SCHEMA = 1;
    private static final double MICROS = 1e6;
    private static final double GIGA = 1e9;
    private static final LinkCosts BUILT_IN = CostTable.standard().of(LinkKind.NETWORK);
    private static final LinkCosts ON_HOST = CostTable.standard().of(LinkKind.LOOPBACK);

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            required = true,
            description = "Number of ranks, 1 to " + MAX_RANKS + ".")
    private int ranks;

    @Option(
            names = "--bytes",
            paramLabel = "SIZE",
            required = true,
            converter = ByteSizeConverter.class,
            description = "Size of the whole tensor, such as 64K or 1GiB; of the blocks of all ranks together where "
                    + "ranks have blocks, rounded down to equal ones.")
    private long bytes;

    @Option(
            names = "--latency",
            paramLabel = "TIME",
            required = true,
            converter = TimeConverter.class,
            description = "From host to host, one way, such as 50us.")
    private double latency;

    @Option(
            names = "--bandwidth",
            paramLabel = "RATE",
            required = true,
            converter = RateConverter.class,
            description = "Of a host's card, each way, such as 25Gbit or 3GB.")
    private double bandwidth;

    @Option(
            names = "--ranks-per-node",
            paramLabel = "N",
            defaultValue = "1",
            description = "Ranks that share a host, in order (default: ${DEFAULT-VALUE}).")
    private int ranksPerNode;

    @Option(
            names = "--primitive",
            paramLabel = "NAME",
            split = ",",
            defaultValue = "all_reduce",
            description = "Such as all_reduce, or all (default: ${DEFAULT-VALUE}).")
    private List<String> primitives;

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
            description = "Reduction, which decides how wide partial results are (default: ${DEFAULT-VALUE}).")
    private ReduceOp op;

    @Option(
            names = "--max-steps",
            paramLabel = "N",
            defaultValue = "5000000",
            description =
                    "Steps to simulate at most for a primitive, all ranks and algorithms together; a million takes "
                            + "a few seconds and 100 MB (default: ${DEFAULT-VALUE}).")
    private long maxSteps;

    @Option(names = "--json", description = "One JSON object a line instead of tables.")
    private boolean json;

    @Override
    public void run() {
        require(ranks >= 1 && ranks <= MAX_RANKS, "--ranks must be 1 to " + MAX_RANKS + ", not " + ranks);
        require(ranksPerNode >= 1, "--ranks-per-node must be at least 1, not " + ranksPerNode);
        require(maxSteps >= 0, "--max-steps must be at least 0, not " + maxSteps);
        AlgorithmRegistry registry = AlgorithmRegistry.standard();
        List<Forecast> forecasts =
                primitives(registry).stream().map(this::forecast).toList();
        PrintWriter out = spec.commandLine().getOut();
        forecasts.forEach(forecast -> print(out, forecast, forecast.predictions(registry)));
        out.flush();
    }

    private void require(boolean good, String otherwise) {
        if (!good) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }

    private List<Primitive> primitives(AlgorithmRegistry registry) {
        List<Primitive> known =
                registry.all().stream().map(Algorithm::primitive).distinct().toList();
        if (primitives.equals(List.of("all"))) {
            return known;
        }
        return primitives.stream()
                .map(name -> known.stream()
                        .filter(primitive -> primitive.label().equals(name))
                        .findFirst()
                        .orElseThrow(() -> ParexException.argument("no primitive '" + name + "' to plan; known: "
                                + known.stream().map(Primitive::label).collect(Collectors.joining(", ")) + ", all")))
                .toList();
    }

    private Forecast forecast(Primitive primitive) {
        int width = type.bytes();
        long each = primitive.isBlocked() ? ranks : 1;
        long count = primitive == Primitive.BARRIER ? 0 : bytes / width / each * each;
        int partial = width;
        if (primitive.reducing()) {
            require(Reductions.supports(type, op), "--op " + op.label() + " of " + type.label() + " is not computed");
            partial = Reductions.partialType(type, op).bytes();
        }
        PricedNetwork network = new PricedNetwork(
                latency,
                bandwidth,
                ON_HOST.latency(),
                1 / ON_HOST.perByte(),
                BUILT_IN.overhead() / 2,
                1 / BUILT_IN.perReducedByte(),
                ranksPerNode);
        return new Forecast(primitive, new Shape(ranks, (double) count * width, width, partial), network, maxSteps);
    }

    private void print(PrintWriter out, Forecast forecast, List<Forecast.Prediction> predictions) {
        if (json) {
            predictions.forEach(prediction -> out.println(line(forecast, prediction)));
            return;
        }
        long size = (long) forecast.shape().bytes();
        out.printf(
                Locale.ROOT,
                "%s of %d bytes of %s on %d ranks, %d per host, %.1f us, %.3f GB/s%n",
                forecast.primitive().label(),
                size,
                type.label(),
                ranks,
                ranksPerNode,
                latency * MICROS,
                bandwidth / GIGA);
        out.printf("%-22s %14s %12s %12s  %s%n", "algorithm", "time(us)", "algbw(GB/s)", "steps", "by");
        for (Forecast.Prediction prediction : predictions) {
            boolean simulated = prediction.means() == Forecast.Means.SIMULATION;
            out.printf(
                    Locale.ROOT,
                    "%-22s %14.1f %12.3f %12d  %s%n",
                    prediction.algorithm(),
                    prediction.seconds() * MICROS,
                    algbw(size, prediction),
                    prediction.steps(),
                    simulated ? "simulation" : "formula: more steps than --max-steps leaves");
        }
        out.println();
    }

    private JsonObject line(Forecast forecast, Forecast.Prediction prediction) {
        long size = (long) forecast.shape().bytes();
        return new JsonObject()
                .put("schema", SCHEMA)
                .put("primitive", forecast.primitive().label())
                .put("algorithm", prediction.algorithm())
                .put("ranks", ranks)
                .put("ranks_per_node", ranksPerNode)
                .put("bytes", size)
                .put("dtype", type.label())
                .put("op", forecast.primitive().reducing() ? op.label() : "none")
                .put("latency_us", latency * MICROS)
                .put("bandwidth_gbs", bandwidth / GIGA)
                .put("us", prediction.seconds() * MICROS)
                .put("algbw_gbs", algbw(size, prediction))
                .put("steps", prediction.steps())
                .put("by", prediction.means().name().toLowerCase(Locale.ROOT));
    }

    private static double algbw(long size, Forecast.Prediction prediction) {
        return prediction.seconds() == 0 ? 0 : size / prediction.seconds() / GIGA;
    }
}

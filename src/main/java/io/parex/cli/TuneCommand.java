package io.parex.cli;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.bench.Tuning;
import io.parex.discovery.Endpoint;
import io.parex.planner.CostFit;
import io.parex.planner.CostTable;
import io.parex.planner.LinkCosts;
import io.parex.planner.LinkKind;
import io.parex.world.LocalWorld;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures links and writes a table of their costs. */
@Command(
        name = "tune",
        sortOptions = false,
        description = "Measure what links cost, and write the table from which all ranks choose algorithms.",
        footer = {
            "",
            "Give the table to every rank of a world as parex.cost-table. Between hosts, run the same command on each, "
                    + "with its own --rank, and nothing else on them; rank 0 writes the table."
        })
final class TuneCommand implements Callable<Integer> {
    private static final int MAX_RANKS = 64;

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-n", "--ranks"},
            paramLabel = "N",
            defaultValue = "4",
            description = "Ranks of the worlds on this host, 2 to " + MAX_RANKS + " (default: ${DEFAULT-VALUE}).")
    private int ranks;

    @Option(
            names = "--links",
            paramLabel = "KIND",
            split = ",",
            description = "Links of this host to measure: memory, loopback (default: both, without --peers).")
    private List<String> links = new ArrayList<>();

    @Option(
            names = "--peers",
            paramLabel = "HOST:PORT",
            split = ",",
            description = "Measure the network between these hosts: where each rank is, in order.")
    private List<String> peers = new ArrayList<>();

    @Option(names = "--rank", paramLabel = "RANK", description = "Which of --peers this process is.")
    private Integer rank;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Where to write the table (default: standard output).")
    private Path output;

    @Override
    public Integer call() {
        check();
        CostTable table = CostTable.standard();
        List<String> notes = new ArrayList<>();
        notes.add("Costs of links in seconds, and seconds per byte; "
                + BuildInfo.read().commit() + ", " + LocalDate.now());
        if (!peers.isEmpty()) {
            List<Endpoint> addresses = peers.stream()
                    .map(text -> Endpoint.parse(text.strip(), 7610))
                    .toList();
            table = measured(table, LinkKind.NETWORK, TuneWorlds.network(addresses, rank), addresses.size(), notes);
        } else {
            if (links.isEmpty() || links.contains(LinkKind.MEMORY.label())) {
                table = measured(table, LinkKind.MEMORY, TuneWorlds.memory(ranks), ranks, notes);
            }
            if (links.isEmpty() || links.contains(LinkKind.LOOPBACK.label())) {
                table = measured(table, LinkKind.LOOPBACK, TuneWorlds.loopback(ranks), ranks, notes);
            }
        }
        if (writesTable()) {
            write(text(table, notes));
        }
        return ExitCodes.GOOD;
    }

    private boolean writesTable() {
        return rank == null || rank == 0;
    }

    private void check() {
        if (output != null && writesTable()) {
            Path directory = output.toAbsolutePath().getParent();
            require(
                    directory != null && Files.isWritable(directory) && !Files.isDirectory(output),
                    "--output " + output + " cannot be written: nothing was measured; name a file in a directory that"
                            + " is there and can be written to");
        }
        boolean between = !peers.isEmpty();
        require(ranks >= 2 && ranks <= MAX_RANKS, "-n must be 2 to " + MAX_RANKS + ", not " + ranks);
        require(between == (rank != null), "--peers and --rank go together: one is missing");
        require(!between || links.isEmpty(), "--links are those of this host; with --peers the network is measured");
        for (String link : links) {
            require(
                    link.equals(LinkKind.MEMORY.label()) || link.equals(LinkKind.LOOPBACK.label()),
                    "no links '" + link + "' on this host; known: memory, loopback");
        }
        if (between) {
            require(peers.size() > 1 && peers.size() <= MAX_RANKS, "--peers must be 2 to " + MAX_RANKS + " addresses");
            require(rank >= 0 && rank < peers.size(), "--rank " + rank + " is none of " + peers.size() + " --peers");
        }
    }

    private void require(boolean good, String otherwise) {
        if (!good) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }

    private CostTable measured(CostTable table, LinkKind kind, List<LocalWorld> here, int size, List<String> notes) {
        PrintWriter err = spec.commandLine().getErr();
        LinkCosts built = table.of(kind);
        // Ranks of one host share its processors, those of others have theirs.
        int atOnce = kind == LinkKind.NETWORK ? 0 : Runtime.getRuntime().availableProcessors();
        LinkCosts start = new LinkCosts(
                kind, built.latency(), built.overhead(), built.perByte(), built.perReducedByte(), atOnce, 0);
        try (Tuning tuning = new Tuning(here)) {
            List<Tuning.Measured> calls = tuning.measure(activity -> {
                err.println("parex tune: " + kind.label() + ": " + activity);
                err.flush();
            });
            CostFit.Fit fit = Tuning.fit(calls, start);
            notes.add(String.format(
                    Locale.ROOT,
                    "%s: measured among %d ranks; predictions of these calls are off by a factor of %.2f",
                    kind.label(),
                    size,
                    fit.factor()));
            return table.with(fit.costs());
        }
    }

    private static String text(CostTable table, List<String> notes) {
        StringBuilder text = new StringBuilder();
        notes.forEach(note -> text.append("# ").append(note).append('\n'));
        table.lines()
                .forEach((key, value) ->
                        text.append(key).append(" = ").append(value).append('\n'));
        return text.toString();
    }

    private void write(String text) {
        if (output == null) {
            PrintWriter out = spec.commandLine().getOut();
            out.print(text);
            out.flush();
            return;
        }
        try {
            Files.writeString(output, text);
        } catch (IOException e) {
            throw new ParexException(ErrorKind.ARGUMENT, "the table cannot be written to " + output + ": " + e, e);
        }
    }
}

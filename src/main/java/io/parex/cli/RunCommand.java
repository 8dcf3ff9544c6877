package io.parex.cli;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parex run}: a local world, and the job's processes. */
@Command(
        name = "run",
        description = {
            "Start a local world, and CMD once for each of its ranks.",
            "CMD finds its rank through RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, MASTER_ADDR, MASTER_PORT,"
                    + " PAREX_ENDPOINT and PAREX_RANK. Lines of its output begin with [rank].",
            "Rank 0 reads the standard input, the others an empty one.",
            "When one fails the others are ended; the exit status is that of the first that failed, else 0.",
            "Without CMD the world stays until it is told to stop, and standard output says where it is."
        })
final class RunCommand implements Callable<Integer> {
    /** Where the ranks live. */
    enum Isolation {
        /** All in one process. */
        JVM,
        /** Each in a process of its own. */
        PROCESS
    }

    private CommandSpec spec;

    @Mixin
    private RanksOption ranks = new RanksOption();

    @Option(
            names = "--isolation",
            paramLabel = "KIND",
            defaultValue = "jvm",
            description = "jvm: all ranks in this process, the only kind in this release.")
    private Isolation isolation;

    @Parameters(paramLabel = "CMD", description = "Program and arguments to start for each rank.")
    private List<String> command = List.of();

    @Spec
    private void set(CommandSpec own) {
        spec = own;
        // Options behind the program's name are the program's, with or without "--" before it.
        own.parser().stopAtPositional(true);
    }

    @Override
    public Integer call() throws InterruptedException {
        if (isolation != Isolation.JVM) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--isolation " + isolation.name().toLowerCase(Locale.ROOT)
                            + " is not available in this release, which hosts all ranks in one process; leave it out");
        }
        if (!command.isEmpty()) {
            Programs.require(command.getFirst(), System.getenv("PATH"));
        }
        ServerSettings.localWorld(ranks.count());
        try (Server server = Server.start()) {
            return command.isEmpty() ? serve(server) : runProcesses(server);
        }
    }

    private static int serve(Server server) throws InterruptedException {
        try (StopSignal stop = StopSignal.asGoodEnd(server::end)) {
            System.out.print(Places.of(server).text());
            System.out.flush();
            stop.await();
            return ExitCodes.GOOD;
        }
    }

    private int runProcesses(Server server) throws InterruptedException {
        // Standard output is that of the processes.
        System.err.print(Places.of(server).text());
        JobEnvironment environment = JobEnvironment.of(ranks.count(), server.endpoint());
        try (JobProcesses job = new JobProcesses(System.out, System.err);
                // The job ends before the ranks that it talks to.
                StopSignal _ = new StopSignal(() -> {
                    job.end();
                    server.close();
                })) {
            for (int rank = 0; rank < ranks.count(); rank++) {
                job.start(rank, command, environment.of(rank));
            }
            return job.await();
        }
    }
}

package io.parex.cli;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parex run}: a local world, and the job's processes. */
@Command(
        name = "run",
        description = {
            "Start a local world, and CMD once for each of its ranks.",
            "CMD finds its rank through RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, MASTER_ADDR, MASTER_PORT,"
                    + " PAREX_ENDPOINT and PAREX_RANK. Lines of its output begin with [rank].",
            "Python finds the package parex, and torch.distributed the backend parex. OMP_NUM_THREADS is 1 where there"
                    + " are as many ranks as cores and it is not set; torchrun sets it whenever there are several.",
            "Rank 0 reads the standard input, the others an empty one.",
            "When one fails the others are ended; the exit status is that of the first that failed, else 0.",
            "When the process of a rank ends before them (--isolation process) all are ended, and it is 4.",
            "Without CMD the world stays until it is told to stop, and standard output says where it is."
        })
final class RunCommand implements Callable<Integer> {
    private CommandSpec spec;

    @Mixin
    private RanksOption ranks = new RanksOption();

    @Option(
            names = "--isolation",
            paramLabel = "KIND",
            defaultValue = "jvm",
            converter = Labels.OfIsolation.class,
            description =
                    "jvm: all ranks in this process; process: each in one of its own (default: ${DEFAULT-VALUE}).")
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
        new LocalWorldRules("run", ranks.count(), isolation, Given.here()).check();
        if (!command.isEmpty()) {
            Programs.require(command.getFirst(), System.getenv("PATH"));
        }
        return isolation == Isolation.PROCESS ? runMembers() : runHere();
    }

    private int runHere() throws InterruptedException {
        ServerSettings.localWorld(ranks.count());
        try (SharedDirectory shared = SharedDirectory.make(Given.here())) {
            shared.settings().forEach(System::setProperty);
            try (Server server = Server.start()) {
                IntSupplier end = () -> ended(server::end, shared);
                if (command.isEmpty()) {
                    return stay(Places.of(server).text(), end, new CompletableFuture<>());
                }
                String endpoint = server.endpoint();
                return runJob(
                        Places.of(server).text(),
                        rank -> endpoint,
                        process -> false,
                        new CompletableFuture<>(),
                        end::getAsInt);
            }
        }
    }

    private int runMembers() throws InterruptedException {
        try (SharedDirectory shared = SharedDirectory.make(Given.here());
                MemberWorld world = MemberWorld.start(ranks.count(), shared.settings(), System.err)) {
            IntSupplier end = () -> ended(world::end, shared);
            return command.isEmpty()
                    ? stay(world.places().text(), end, world.anyLost())
                    : runJob(world.places().text(), world::endpoint, world::has, world.anyLost(), end::getAsInt);
        }
    }

    /** Ends the ranks; their directory goes after them, also where the process is halted then. */
    private static int ended(IntSupplier ranks, SharedDirectory shared) {
        int status = ranks.getAsInt();
        shared.close();
        return status;
    }

    private static int stay(String places, IntSupplier end, CompletableFuture<Void> lost) throws InterruptedException {
        try (StopSignal stop = StopSignal.asGoodEnd(end)) {
            System.out.print(places);
            System.out.flush();
            stop.awaitOr(lost);
            return ExitCodes.GOOD;
        }
    }

    private int runJob(
            String places,
            IntFunction<String> endpoint,
            Predicate<ProcessHandle> ranksProcess,
            CompletableFuture<Void> lost,
            Runnable endWorld)
            throws InterruptedException {
        // Standard output is that of the processes.
        System.err.print(places);
        JobEnvironment environment = JobEnvironment.of(ranks.count(), endpoint);
        try (JobProcesses job = new JobProcesses(System.out, System.err, ranksProcess);
                // The job ends before the ranks that it talks to.
                StopSignal _ = new StopSignal(() -> {
                    job.end();
                    endWorld.run();
                })) {
            for (int rank = 0; rank < ranks.count(); rank++) {
                job.start(rank, command, environment.of(rank));
            }
            return job.await(lost);
        }
    }
}

package io.parex.cli;

import io.parex.demo.ClientExchange;
import io.parex.demo.Demo;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parex demo}: a local world, and a real training through it. */
@Command(
        name = "demo",
        description = {
            "Train a perceptron on handwritten digits, data-parallel: a local world of ranks, a worker for each,",
            "gradients averaged by all_reduce over gRPC. Compares with the same training by one plain loop."
        })
final class DemoCommand implements Callable<Integer> {
    /** Several times what it takes on two processors: a slow machine is no failure. */
    private static final Duration DEADLINE = Duration.ofMinutes(5);

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

    @Override
    public Integer call() throws InterruptedException {
        new LocalWorldRules("demo", ranks.count(), isolation, Given.here()).check();
        return isolation == Isolation.PROCESS ? withMembers() : withServer();
    }

    private int withServer() {
        ServerSettings.localWorld(ranks.count());
        try (Server server = Server.start();
                StopSignal _ = new StopSignal(server::close)) {
            String endpoint = server.endpoint();
            return train(rank -> endpoint, Places.of(server));
        }
    }

    private int withMembers() throws InterruptedException {
        try (MemberWorld world = MemberWorld.start(ranks.count(), Map.of(), System.err);
                StopSignal _ = new StopSignal(world::close)) {
            return train(world::endpoint, world.places());
        }
    }

    private int train(IntFunction<String> endpoint, Places places) {
        Demo demo = new Demo(
                ranks.count(),
                rank -> ClientExchange.connect(endpoint.apply(rank), rank),
                DEADLINE,
                places.addresses());
        return demo.run(System.out) == 0 ? ExitCodes.GOOD : ExitCodes.CHECK_FAILED;
    }
}

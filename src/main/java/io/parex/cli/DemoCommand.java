package io.parex.cli;

import io.parex.demo.ClientExchange;
import io.parex.demo.Demo;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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

    @Override
    public Integer call() {
        ServerSettings.localWorld(ranks.count());
        try (Server server = Server.start();
                StopSignal _ = new StopSignal(server::close)) {
            String endpoint = server.endpoint();
            Demo demo = new Demo(
                    ranks.count(),
                    rank -> ClientExchange.connect(endpoint, rank),
                    DEADLINE,
                    Places.of(server).addresses());
            return demo.run(System.out) == 0 ? ExitCodes.GOOD : ExitCodes.CHECK_FAILED;
        }
    }
}

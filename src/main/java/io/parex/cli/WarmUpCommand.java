package io.parex.cli;

import io.parex.demo.ClientExchange;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * What the build runs to record the AOT cache: the classes that it loads start faster from then on. Prints help, starts
 * a small world and makes each kind of call through gRPC. Leaves nothing behind and prints nothing.
 */
@Command(name = "warm-up", hidden = true, description = "Load what most commands load, and exit.")
final class WarmUpCommand implements Callable<Integer> {
    private static final int RANKS = 2;

    /** Below and above the size at which all_reduce and broadcast change their algorithm. */
    private static final int[] LENGTHS = {100, 100_000};

    @Override
    public Integer call() throws InterruptedException {
        PrintStream discarded = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        CommandLine parser = ParexCommand.commandLine();
        parser.usage(discarded);
        parser.printVersionHelp(discarded);
        ServerSettings.localWorld(RANKS);
        try (Server server = Server.start()) {
            discarded.print(Places.of(server).text());
            List<Thread> workers = IntStream.range(0, RANKS)
                    .mapToObj(rank -> Thread.ofPlatform().start(() -> exchange(server.endpoint(), rank)))
                    .toList();
            for (Thread worker : workers) {
                worker.join();
            }
        }
        return ExitCodes.GOOD;
    }

    private static void exchange(String endpoint, int rank) {
        try (ClientExchange exchange = ClientExchange.connect(endpoint, rank)) {
            for (int length : LENGTHS) {
                exchange.broadcast(new float[length], 0);
                exchange.allReduceAverage(new float[length]);
            }
            exchange.barrier();
        }
    }
}

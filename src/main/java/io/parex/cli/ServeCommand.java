package io.parex.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code parex serve}: hosts ranks for as long as the process lives. */
@Command(
        name = "serve",
        description = {
            "Be a rank: serve trainers over gRPC until told to stop.",
            "Configured by parex.* properties, or PAREX_* in the environment. Standard output says where it is.",
            "Where the other ranks are in other processes, it looks for them, and is ready when it has found all.",
            "Told to stop (SIGTERM, Ctrl-C) it lets calls in flight end; the exit status is 0 if all could."
        })
final class ServeCommand implements Callable<Integer> {

    @Override
    public Integer call() throws InterruptedException {
        try (Server server = Server.start();
                StopSignal stop = StopSignal.asGoodEnd(server::end)) {
            System.out.print(Places.of(server).text());
            System.out.flush();
            stop.awaitOr(server.joined());
            return ExitCodes.GOOD;
        }
    }
}

package io.parex.cli;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.service.Spread;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;

/**
 * {@code parex member}: one rank of {@code parex run --isolation process}. It says on standard output where it listens,
 * is told on standard input where the others do, and lives for as long as that stays open: a launcher that is killed
 * leaves nobody behind.
 */
@Command(
        name = MemberCommand.NAME,
        hidden = true,
        description = "One rank of run --isolation process; not to be used alone.")
final class MemberCommand implements Callable<Integer> {
    static final String NAME = "member";

    @Override
    public Integer call() throws InterruptedException, IOException {
        // A terminal sends its signals to the launcher and to all that it has started.
        try (Server server = Server.start();
                StopSignal _ = StopSignal.asGoodEnd(server::end)) {
            Spread spread = server.ranks()
                    .spread()
                    .orElseThrow(() -> ParexException.argument("a member needs parex.discovery=launcher"));
            say(new MemberLines.Listening(spread.port(), server.endpoint(), server.management()).text());
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            String peers = input.readLine();
            if (peers == null) {
                return ExitCodes.UNREACHABLE;
            }
            spread.handedOut().set(MemberLines.peers(peers));
            CompletableFuture<Void> over = new CompletableFuture<>();
            server.joined().whenComplete((joined, failure) -> {
                if (failure == null) {
                    say(MemberLines.JOINED);
                } else {
                    over.completeExceptionally(failure);
                }
            });
            // Nobody would start another process in its place: the launcher ends the world.
            server.lost().whenComplete((nothing, failure) -> over.completeExceptionally(failure));
            Thread.ofPlatform().daemon().name("launcher").start(() -> awaitEnd(input, over));
            await(over);
            return server.end();
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static void awaitEnd(BufferedReader input, CompletableFuture<Void> over) {
        try {
            while (input.readLine() != null) {
                // Nothing more is said; the end is what is waited for.
            }
        } catch (IOException e) {
            // The same.
        }
        over.complete(null);
    }

    private static void await(CompletableFuture<Void> over) throws InterruptedException {
        try {
            over.get();
        } catch (java.util.concurrent.ExecutionException e) {
            throw e.getCause() instanceof ParexException known
                    ? known
                    : new ParexException(ErrorKind.UNAVAILABLE, "the rank did not join", e.getCause());
        }
    }
}

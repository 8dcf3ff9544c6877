package io.parex.cli;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The process of one rank, as its launcher sees it. Any thread. */
final class MemberProcess {
    private final int rank;
    private final Process process;
    private final CompletableFuture<MemberLines.Listening> listening = new CompletableFuture<>();
    private final CompletableFuture<Void> joined = new CompletableFuture<>();

    private MemberProcess(int rank, Process process) {
        this.rank = rank;
        this.process = process;
    }

    /** Starts the process of {@code rank}; what it logs goes to {@code log}, each line with its rank. */
    static MemberProcess start(int rank, Map<String, String> settings, PrintStream log) {
        ProcessBuilder builder = new ProcessBuilder(SelfProcess.command(List.of("member")));
        builder.environment().putAll(settings);
        try {
            MemberProcess member = new MemberProcess(rank, builder.start());
            LinePump.start("[rank " + rank + "] ", member.process.getErrorStream(), log);
            Thread.ofPlatform().daemon().name("member-" + rank).start(member::listen);
            return member;
        } catch (IOException e) {
            throw new ParexException(
                    ErrorKind.UNAVAILABLE, "cannot start the process of rank " + rank + ": " + e.getMessage(), e);
        }
    }

    private void listen() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (MemberLines.Listening.is(line)) {
                    listening.complete(MemberLines.Listening.of(line));
                } else if (line.equals(MemberLines.JOINED)) {
                    joined.complete(null);
                }
            }
        } catch (IOException e) {
            // It has ended; that is told below.
        }
        process.onExit().thenAccept(gone -> {
            ParexException failure = new ParexException(
                    ErrorKind.UNAVAILABLE,
                    "the process of rank " + rank + " (pid " + gone.pid() + ") ended with status " + gone.exitValue());
            listening.completeExceptionally(failure);
            joined.completeExceptionally(failure);
        });
    }

    /** Where it listens; fails if it ends before. */
    CompletableFuture<MemberLines.Listening> listening() {
        return listening;
    }

    /** Its rank has heard of all others; fails if it ends before. */
    CompletableFuture<Void> joined() {
        return joined;
    }

    /** Its end. */
    CompletableFuture<Integer> ended() {
        return process.onExit().thenApply(Process::exitValue);
    }

    boolean is(ProcessHandle other) {
        return other.pid() == process.pid();
    }

    int rank() {
        return rank;
    }

    /** Tells it where all ranks are. */
    void tell(List<MemberLines.Listening> members) {
        try {
            process.getOutputStream().write((MemberLines.peers(members) + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            // It has ended, which others wait for.
        }
    }

    /** Asks it to end: it lets calls in flight end first. */
    void endInOrder() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            process.destroy();
        }
    }

    /** Waits for its end until {@code limit} has passed, then forces it. */
    int awaitEnd(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly().waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        }
        return process.isAlive() ? ExitCodes.CHECK_FAILED : process.exitValue();
    }
}

package io.parex.cli;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The process of one rank, as its launcher sees it. Any thread. */
final class MemberProcess {
    private final int rank;
    private final RankProcess process;
    private final CompletableFuture<MemberLines.Listening> listening = new CompletableFuture<>();
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private final CompletableFuture<Void> lost = new CompletableFuture<>();

    private MemberProcess(int rank, RankProcess process) {
        this.rank = rank;
        this.process = process;
    }

    /** Starts the process of {@code rank}; what it logs goes to {@code log}, each line with its rank. */
    static MemberProcess start(int rank, Map<String, String> settings, PrintStream log) {
        try {
            MemberProcess member = new MemberProcess(
                    rank, RankProcess.start(List.of(), MemberCommand.NAME, settings, "[rank " + rank + "] ", log));
            Thread.ofPlatform().daemon().name("member-" + rank).start(member::listen);
            return member;
        } catch (IOException e) {
            throw new ParexException(
                    ErrorKind.UNAVAILABLE, "cannot start the process of rank " + rank + ": " + e.getMessage(), e);
        }
    }

    private void listen() {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.output(), StandardCharsets.UTF_8))) {
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
        String fate = process.fate();
        ParexException failure = new ParexException(
                process.hasRefusedItsSettings() && !listening.isDone() ? ErrorKind.ARGUMENT : ErrorKind.UNAVAILABLE,
                "the process of rank " + rank + " (pid " + process.pid() + ") " + fate);
        lost.completeExceptionally(failure);
        listening.completeExceptionally(failure);
        joined.completeExceptionally(failure);
    }

    /** Where it listens; fails if it ends before. */
    CompletableFuture<MemberLines.Listening> listening() {
        return listening;
    }

    /** Its rank has heard of all others; fails if it ends before. */
    CompletableFuture<Void> joined() {
        return joined;
    }

    /** Fails when it has ended. */
    CompletableFuture<Void> lost() {
        return lost;
    }

    boolean is(ProcessHandle other) {
        return other.pid() == process.pid();
    }

    /** Tells it where all ranks are. */
    void tell(List<MemberLines.Listening> members) {
        try {
            process.input().write((MemberLines.peers(members) + "\n").getBytes(StandardCharsets.UTF_8));
            process.input().flush();
        } catch (IOException e) {
            // It has ended, which others wait for.
        }
    }

    /** Asks it to end: it lets calls in flight end first. */
    void endInOrder() {
        process.tellToEnd();
    }

    /** Waits for its end until {@code limit} has passed, then forces it. */
    int awaitEnd(Duration limit) throws InterruptedException {
        return process.awaitEnd(limit);
    }
}

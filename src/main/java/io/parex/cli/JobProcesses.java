package io.parex.cli;

import io.parex.ParexException;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * The processes of a job, all or nothing: when one fails, or the job is closed, none is left. One thread starts them
 * and waits for them, any thread may end them.
 */
final class JobProcesses implements AutoCloseable {
    /** Between the request to end and the end by force. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** For what was written before the end: longer only if someone else holds the pipe open. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private final PrintStream out;
    private final PrintStream err;
    private final Predicate<ProcessHandle> spared;
    private final JobGuard guard = new JobGuard();
    private final List<Process> processes = new ArrayList<>();
    private final List<Thread> pumps = new ArrayList<>();
    private volatile boolean ended;

    /** Output of the processes goes to {@code out} and {@code err}, line by line. */
    JobProcesses(PrintStream out, PrintStream err) {
        this(out, err, process -> false);
    }

    /**
     * The same beside other processes that this one has started.
     *
     * @param spared whether a process is none of the job
     */
    JobProcesses(PrintStream out, PrintStream err, Predicate<ProcessHandle> spared) {
        this.spared = spared;
        this.out = out;
        this.err = err;
        Orphans.adopt();
    }

    /**
     * Starts the process of {@code rank}; a command that cannot be started is an argument error. Rank 0 reads what this
     * process would: one input can have one reader only. The others' input is empty.
     */
    void start(int rank, List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(rank == 0 ? Redirect.INHERIT : Redirect.from(new File("/dev/null")));
        builder.environment().putAll(environment);
        builder.environment().putAll(guard.environment());
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw ParexException.argument("cannot start the process of rank " + rank + ": " + e.getMessage());
        }
        processes.add(process);
        String prefix = "[" + rank + "] ";
        pumps.add(LinePump.start(prefix, process.getInputStream(), out));
        pumps.add(LinePump.start(prefix, process.getErrorStream(), err));
        if (ended) {
            // The request to end came while it was being started.
            end();
        }
    }

    /**
     * Waits until all have ended, one has failed, or {@code lost} fails, which says that they are in vain; then ends
     * those that are left. The status of the first failure, else 0.
     *
     * @throws RuntimeException the failure of {@code lost}, unless all had ended well before, or {@link #end} has been
     *     called: processes fail by a loss too, often before it is heard of, so that it is looked for again at the end
     */
    int await(CompletableFuture<?> lost) throws InterruptedException {
        CompletableFuture<Integer> failed = new CompletableFuture<>();
        CompletableFuture<Void> all = CompletableFuture.allOf(processes.stream()
                .map(process -> process.onExit().thenAccept(gone -> {
                    if (gone.exitValue() != 0) {
                        failed.complete(gone.exitValue());
                    }
                }))
                .toArray(CompletableFuture[]::new));
        CompletableFuture<Void> broken = new CompletableFuture<>();
        lost.whenComplete((nothing, failure) -> {
            if (failure != null) {
                broken.complete(null);
            }
        });
        CompletableFuture.anyOf(failed, all, broken).join();
        boolean good = all.isDone() && !failed.isDone();
        boolean told = ended;
        end();
        awaitPumps();
        if (!good && !told && lost.isCompletedExceptionally()) {
            throw reason(lost);
        }
        awaitStatus(all);
        return failed.getNow(ExitCodes.GOOD);
    }

    /** That a process has ended is told by another thread, a little later. */
    private static void awaitStatus(CompletableFuture<Void> all) throws InterruptedException {
        try {
            all.get(LAST_WORDS.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // One that no force has ended has no status.
        }
    }

    private static RuntimeException reason(CompletableFuture<?> lost) {
        return lost.exceptionNow() instanceof RuntimeException known
                ? known
                : new IllegalStateException(lost.exceptionNow());
    }

    private void awaitPumps() throws InterruptedException {
        long deadlineNanos = System.nanoTime() + LAST_WORDS.toNanos();
        for (Thread pump : pumps) {
            pump.join(Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime())));
        }
    }

    /** Asks all processes, and those that they started, to end, and ends by force what does not. Idempotent; waits. */
    void end() {
        ended = true;
        Predicate<ProcessHandle> others = process -> guard.is(process) || spared.test(process);
        if (!Family.end(ProcessHandle::destroy, GRACE, others)) {
            Family.end(ProcessHandle::destroyForcibly, GRACE, others);
        }
        guard.close();
    }

    /** Nobody waits any more. */
    @Override
    public void close() {
        end();
    }
}

package io.parex.demo;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;

/**
 * One thread per worker, all or nothing: the first failure, the deadline, or an interrupt of the caller ends every
 * worker.
 */
final class Crew<T> {
    /**
     * How long the workers of a failed crew may take to notice; they are daemon threads, so none can hold up the exit.
     */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final int size;
    private final AtomicReferenceArray<T> results;
    private final AtomicInteger running;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private Crew(int size) {
        this.size = size;
        results = new AtomicReferenceArray<>(size);
        running = new AtomicInteger(size);
    }

    /**
     * Runs {@code work} for ranks 0 to {@code size - 1} and waits for all of them.
     *
     * @param deadline for all of it
     * @param work one worker, by its rank
     * @param release called once at the end, however it comes: must free workers that are blocked
     * @return the workers' results by rank
     * @throws ParexException the first failure, or kind timeout or cancelled
     */
    static <T> List<T> run(int size, Duration deadline, IntFunction<T> work, Runnable release) {
        return new Crew<T>(size).run(deadline, work, release);
    }

    private List<T> run(Duration deadline, IntFunction<T> work, Runnable release) {
        List<Thread> threads = new ArrayList<>();
        try {
            for (int rank = 0; rank < size; rank++) {
                threads.add(start(rank, work));
            }
            ended.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
            return resultsByRank();
        } catch (ExecutionException failure) {
            throw asParexException(failure.getCause());
        } catch (TimeoutException late) {
            String message = running.get() + " of " + size + " workers had not ended after " + deadline.toMillis()
                    + " ms; the training was given up";
            throw new ParexException(ErrorKind.TIMEOUT, message, late);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new ParexException(ErrorKind.CANCELLED, "interrupted; the training was given up", interrupt);
        } finally {
            release.run();
            dismiss(threads);
        }
    }

    private Thread start(int rank, IntFunction<T> work) {
        return Thread.ofPlatform().daemon().name("demo-worker-" + rank).start(() -> {
            try {
                results.set(rank, work.apply(rank));
                if (running.decrementAndGet() == 0) {
                    ended.complete(null);
                }
            } catch (Throwable failure) { // an Error must end the others too
                ended.completeExceptionally(new WorkerFailure(rank, failure));
            }
        });
    }

    private List<T> resultsByRank() {
        List<T> list = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            list.add(results.get(rank));
        }
        return list;
    }

    private static void dismiss(List<Thread> threads) {
        long deadlineNanos = System.nanoTime() + GRACE.toNanos();
        threads.forEach(Thread::interrupt);
        try {
            for (Thread thread : threads) {
                long leftNanos = deadlineNanos - System.nanoTime();
                thread.join(Duration.ofNanos(Math.max(1, leftNanos)));
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }

    private static ParexException asParexException(Throwable thrown) {
        WorkerFailure failure = (WorkerFailure) thrown;
        Throwable cause = failure.getCause();
        ErrorKind kind = cause instanceof ParexException known ? known.kind() : ErrorKind.ABORTED;
        String what = cause instanceof ParexException ? cause.getMessage() : cause.toString();
        String message = "the worker of rank " + failure.rank + " failed: " + what + "; the training was given up";
        return new ParexException(kind, message, cause);
    }

    /** Carries the rank from the worker's thread to the caller's. */
    private static final class WorkerFailure extends Exception {
        private static final long serialVersionUID = 1L;

        private final int rank;

        WorkerFailure(int rank, Throwable cause) {
            super(cause);
            this.rank = rank;
        }
    }
}

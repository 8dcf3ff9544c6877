package io.parex.bench;

import io.parex.world.Work;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The calls of one rank, each started by the completion of the one before. Completions come on the rank's owner loop,
 * but for one that has happened when it is subscribed to, which comes at once, inside the subscription.
 */
final class CallChain {
    private final Workload workload;
    private final int rank;
    private final long[] stamps;
    private final CompletableFuture<long[]> result = new CompletableFuture<>();

    /** Completions not yet acted on; whoever raises it from 0 acts, so that a chain neither recurs nor forks. */
    private final AtomicInteger pending = new AtomicInteger();

    private int done;

    CallChain(Workload workload, int rank, int calls) {
        this.workload = workload;
        this.rank = rank;
        this.stamps = new long[calls + 1];
    }

    /** The end of {@code first}, then that of each call, in nanoseconds. Completes on the owner loop. */
    CompletableFuture<long[]> result() {
        return result;
    }

    /** Starts the first call when {@code first} is done. Returns at once. */
    void startAfter(Work first) {
        first.completion().subscribe().with(completion -> completed(), result::completeExceptionally);
    }

    private void completed() {
        if (pending.getAndIncrement() > 0) {
            return;
        }
        do {
            next();
        } while (pending.decrementAndGet() > 0);
    }

    private void next() {
        stamps[done] = System.nanoTime();
        if (done == stamps.length - 1) {
            result.complete(stamps);
            return;
        }
        try {
            startAfter(workload.start(rank, done++));
        } catch (RuntimeException e) { // refused; a Uni's subscriber must not throw
            result.completeExceptionally(e);
        }
    }
}

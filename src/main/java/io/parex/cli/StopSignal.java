package io.parex.cli;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.IntSupplier;

/**
 * The request to end that comes from outside: Ctrl-C, SIGTERM, the end of the terminal. What the command has started is
 * ended in order before the process goes away.
 */
final class StopSignal implements AutoCloseable {
    private final CompletableFuture<Void> received = new CompletableFuture<>();
    private final Thread hook;

    /**
     * From now on {@code end} runs when the request comes; it has to be idempotent. The exit status is that of the
     * signal: the command has not done what it was asked for.
     */
    StopSignal(Runnable end) {
        hook = Thread.ofPlatform().name("stop").unstarted(() -> {
            received.complete(null);
            end.run();
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * For a command that runs until the request comes, so that it is no failure: the exit status is what {@code end}
     * returns. The JVM has set that of the signal by then, and only a halt changes it.
     */
    static StopSignal asGoodEnd(IntSupplier end) {
        return new StopSignal(() -> {
            int status = end.getAsInt();
            System.out.flush();
            System.err.flush();
            Runtime.getRuntime().halt(status);
        });
    }

    /** Waits for the request. */
    void await() throws InterruptedException {
        awaitOr(new CompletableFuture<>());
    }

    /** Waits for the request or the failure of {@code work}, which it throws; the success of it changes nothing. */
    void awaitOr(CompletableFuture<?> work) throws InterruptedException {
        CompletableFuture<Void> over = received.copy();
        work.whenComplete((done, failure) -> {
            if (failure != null) {
                over.completeExceptionally(failure);
            }
        });
        try {
            over.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e.getCause());
        }
    }

    /** The command has ended by itself. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException requested) {
            // The request has come, and the hook does the rest.
        }
    }
}

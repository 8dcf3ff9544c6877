package io.parex.service;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs the tasks of one gRPC stream one at a time, in the order in which they came, without a lock that an event loop
 * or an owner loop could wait for. What runs in a mailbox needs no other synchronisation. Any thread.
 */
final class Mailbox {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();
    private final Executor executor;
    private final Consumer<RuntimeException> onBug;

    /**
     * An empty mailbox.
     *
     * @param executor runs the tasks that cannot run at once
     * @param onBug hears of an exception that left a task, in the mailbox; the tasks after it run all the same
     */
    Mailbox(Executor executor, Consumer<RuntimeException> onBug) {
        this.executor = executor;
        this.onBug = onBug;
    }

    /**
     * Runs {@code task} at once on this thread if nothing else runs, and later otherwise. The thread is never kept for
     * the tasks that come meanwhile: they go to the executor.
     */
    void run(Runnable task) {
        if (!pending.compareAndSet(0, 1)) {
            post(task);
            return;
        }
        if (!tasks.isEmpty()) {
            // Somebody is between the two steps of post(), and its task has been taken for another's, which is still
            // here.
            tasks.add(task);
            executor.execute(this::drain);
            return;
        }
        perform(task);
        if (pending.decrementAndGet() > 0) {
            executor.execute(this::drain);
        }
    }

    /** Runs {@code task} later on the executor. */
    void post(Runnable task) {
        tasks.add(task);
        if (pending.getAndIncrement() == 0) {
            executor.execute(this::drain);
        }
    }

    private void drain() {
        do {
            perform(tasks.remove());
        } while (pending.decrementAndGet() > 0);
    }

    private void perform(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            onBug.accept(e);
        }
    }
}

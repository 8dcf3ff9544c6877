package io.parex.protocol.link;

import java.util.PriorityQueue;

/** A loop and a clock that move when a test says so. */
final class ManualTiming implements Timing {
    private record Task(long atNanos, long order, Runnable work) {}

    private final PriorityQueue<Task> tasks = new PriorityQueue<>(
            (a, b) -> a.atNanos != b.atNanos ? Long.compare(a.atNanos, b.atNanos) : Long.compare(a.order, b.order));
    private long nowNanos = 1_000_000_000;
    private long order;

    @Override
    public void execute(Runnable task) {
        tasks.add(new Task(nowNanos, order++, task));
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        boolean[] cancelled = new boolean[1];
        tasks.add(new Task(nowNanos + delayNanos, order++, () -> {
            if (!cancelled[0]) {
                task.run();
            }
        }));
        return () -> cancelled[0] = true;
    }

    @Override
    public long nanoTime() {
        return nowNanos;
    }

    /** Runs what is due now. */
    void run() {
        pass(0);
    }

    /** Lets time pass, with everything that is due in it. */
    void pass(long nanos) {
        long end = nowNanos + nanos;
        while (!tasks.isEmpty() && tasks.element().atNanos <= end) {
            Task next = tasks.remove();
            nowNanos = Math.max(nowNanos, next.atNanos);
            next.work.run();
        }
        nowNanos = end;
    }
}

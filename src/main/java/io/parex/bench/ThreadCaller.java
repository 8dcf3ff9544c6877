package io.parex.bench;

import io.parex.world.CallOptions;
import io.parex.world.LocalWorld;
import io.parex.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** One ordinary thread per rank of this process, which blocks in every call. */
final class ThreadCaller implements Caller {
    private final LocalWorld world;
    private final CallOptions options;
    private final ExecutorService threads;

    ThreadCaller(LocalWorld world, CallOptions options) {
        this.world = world;
        this.options = options;
        threads = Executors.newFixedThreadPool(
                world.ranks().size(),
                Thread.ofPlatform().daemon().name("bench-caller-", 0).factory());
    }

    @Override
    public List<long[]> run(Workload workload, int calls, Duration limit) {
        List<Callable<long[]>> tasks = new ArrayList<>();
        for (World rank : world.ranks()) {
            boolean takesPart = rank.rank() < workload.traits().callers();
            tasks.add(() -> call(workload, rank, takesPart ? calls : 0));
        }
        try {
            List<Future<long[]>> futures = threads.invokeAll(tasks, limit.toNanos(), TimeUnit.NANOSECONDS);
            List<long[]> stamps = new ArrayList<>();
            for (Future<long[]> future : futures) {
                if (future.isCancelled()) {
                    continue; // out of time; a rank that failed before says more
                }
                stamps.add(future.get());
            }
            if (stamps.size() < futures.size()) {
                throw Caller.late(calls, limit, null);
            }
            stamps.removeIf(times -> times.length == 1);
            return stamps;
        } catch (ExecutionException e) {
            throw Caller.failure(e.getCause());
        } catch (InterruptedException e) {
            throw Caller.interrupted(e);
        }
    }

    private long[] call(Workload workload, World rank, int calls) {
        long[] stamps = new long[calls + 1];
        rank.group().barrier(options).await();
        stamps[0] = System.nanoTime();
        for (int call = 0; call < calls; call++) {
            workload.start(rank.rank(), call).await();
            stamps[call + 1] = System.nanoTime();
        }
        return stamps;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}

package io.parex.bench;

import io.parex.world.CallOptions;
import io.parex.world.LocalWorld;
import io.parex.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The owner loops: every call starts where the one before completes. */
final class LoopCaller implements Caller {
    private final LocalWorld world;
    private final CallOptions options;

    LoopCaller(LocalWorld world, CallOptions options) {
        this.world = world;
        this.options = options;
    }

    @Override
    public List<long[]> run(Workload workload, int calls, Duration limit) {
        List<CompletableFuture<long[]>> chains = new ArrayList<>();
        for (World rank : world.ranks()) {
            boolean takesPart = rank.rank() < workload.traits().callers();
            CallChain chain = new CallChain(workload, rank.rank(), takesPart ? calls : 0);
            chain.startAfter(rank.group().barrier(options));
            chains.add(chain.result());
        }
        try {
            CompletableFuture.allOf(chains.toArray(CompletableFuture[]::new))
                    .get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw Caller.failure(e.getCause());
        } catch (TimeoutException e) {
            throw Caller.late(calls, limit, e);
        } catch (InterruptedException e) {
            throw Caller.interrupted(e);
        }
        return chains.stream()
                .map(CompletableFuture::join)
                .filter(times -> times.length > 1)
                .toList();
    }

    @Override
    public void close() {
        // has no threads of its own
    }
}

package io.parex.bench;

import io.parex.world.CallOptions;
import io.parex.world.LocalWorld;
import java.lang.foreign.Arena;
import java.util.EnumMap;
import java.util.Map;

/** The ranks of a world that live in this process, with their tensors. */
final class LocalSite implements Site {
    private final LocalWorld world;
    private final CallShape shape;
    private final Workloads workloads;
    private final Arena arena = Arena.ofShared();
    private final RankMemory memory;
    private final Patterns patterns;
    private final Map<CallerKind, Caller> callers = new EnumMap<>(CallerKind.class);
    private final CallTap tap = new CallTap();

    /**
     * Closes {@code world} in the end.
     *
     * @param largestBytes of a tensor
     */
    LocalSite(LocalWorld world, CallShape shape, long largestBytes, Workloads workloads) {
        this.world = world;
        this.shape = shape;
        this.workloads = workloads;
        int size = world.ranks().getFirst().size();
        memory = new RankMemory(arena, size, largestBytes, shape.type());
        patterns = new Patterns(arena, size, shape.type());
        world.ranks().getFirst().observe(tap);
    }

    @Override
    public LocalPoint point(Series series, long count) {
        Setup setup = new Setup(world, memory, patterns, CallOptions.DEFAULT.withAlgorithm(series.algorithm()));
        Caller caller = callers.computeIfAbsent(series.caller(), this::caller);
        return new LocalPoint(workloads.create(series, count, shape, setup), caller, tap);
    }

    private Caller caller(CallerKind kind) {
        CallOptions options = CallOptions.DEFAULT; // of the barrier that starts a batch: the planner's algorithm
        return switch (kind) {
            case THREAD -> new ThreadCaller(world, options);
            case LOOP -> new LoopCaller(world, options);
        };
    }

    @Override
    public void close() {
        callers.values().forEach(Caller::close);
        try {
            world.close();
        } finally {
            // After the world: until it is closed a call that failed may still refer to the memory.
            arena.close();
        }
    }
}

package io.parex.bench;

import io.parex.schedule.Primitive;
import io.parex.world.CallOptions;
import io.parex.world.LocalWorld;
import io.parex.world.WorldOptions;
import java.lang.foreign.Arena;
import java.util.List;

/** Runs a {@link BenchPlan} on a world of its own. One run at a time; the calling thread blocks. */
public final class Bench {
    private static final List<Long> NO_SIZES = List.of(0L);

    private final BenchPlan plan;
    private final BenchListener listener;
    private final Workloads workloads;
    private final long wholeTensorBytes;

    /** A run of {@code plan} that tells {@code listener}, by algorithms that keep no whole tensors of their own. */
    public Bench(BenchPlan plan, BenchListener listener) {
        this(plan, listener, 0);
    }

    /**
     * A run of {@code plan} that tells {@code listener}.
     *
     * @param wholeTensorBytes what its algorithms need of scratch for whole tensors, all ranks together
     */
    public Bench(BenchPlan plan, BenchListener listener, long wholeTensorBytes) {
        this(plan, listener, wholeTensorBytes, Workloads::standard);
    }

    Bench(BenchPlan plan, BenchListener listener, Workloads workloads) {
        this(plan, listener, 0, workloads);
    }

    private Bench(BenchPlan plan, BenchListener listener, long wholeTensorBytes, Workloads workloads) {
        this.plan = plan;
        this.wholeTensorBytes = wholeTensorBytes;
        this.listener = listener;
        this.workloads = workloads;
    }

    /**
     * Measures everything, which takes as long as the plan says.
     *
     * @return elements that were wrong, over all points; 0 is good
     * @throws io.parex.ParexException if a call fails, after which nothing more is measured
     */
    public long run() {
        WorldOptions options = WorldOptions.DEFAULT
                .withName("bench")
                .withCallTimeout(plan.timing().callTimeout())
                // A time is asked for, also of an algorithm that the planner would not choose for so large a tensor.
                .withCopyPoolBytes(WorldOptions.DEFAULT.copyPoolBytes() + wholeTensorBytes);
        // The world closes before the memory is freed: until then a call that failed may still refer to it.
        try (Arena arena = Arena.ofShared();
                LocalWorld world = LocalWorld.start(plan.ranks(), options)) {
            CallTap tap = new CallTap();
            world.rank(0).observe(tap);
            RankMemory memory = new RankMemory(
                    arena, plan.ranks(), largestBytes(), plan.shape().type());
            Patterns patterns = new Patterns(arena, plan.ranks(), plan.shape().type());
            long wrong = 0;
            for (Series series : plan.series()) {
                Setup setup = new Setup(world, memory, patterns, CallOptions.DEFAULT.withAlgorithm(series.algorithm()));
                wrong += run(series, setup, tap);
            }
            return wrong;
        }
    }

    private long run(Series series, Setup setup, CallTap tap) {
        listener.started(series);
        long wrong = 0;
        try (Caller caller = caller(series.caller(), setup.world())) {
            for (long count :
                    series.hasSizes() ? plan.sizes().counts(plan.shape().type()) : NO_SIZES) {
                PointResult point = measure(series, count, setup, caller, tap);
                listener.measured(point);
                wrong += point.figures().wrong();
            }
        }
        listener.ended(series);
        return wrong;
    }

    private PointResult measure(Series series, long count, Setup setup, Caller caller, CallTap tap) {
        Workload workload = workloads.create(series, count, plan, setup);
        String what = series + ", " + count * plan.shape().type().bytes() + " bytes: ";
        Measurement measurement =
                new Measurement(workload, caller, plan.timing(), activity -> listener.progress(what + activity));
        Figures figures = measurement.take();
        Primitive primitive = series.primitive();
        return new PointResult(
                series,
                tap.algorithm(), // of the last verification
                primitive == Primitive.BROADCAST ? plan.shape().root() : -1,
                workload.inPlace(),
                series.hasSizes() ? plan.shape().type() : null,
                primitive.reducing() ? plan.shape().op() : null,
                count,
                plan.ranks(),
                figures);
    }

    private long largestBytes() {
        return plan.series().stream().anyMatch(Series::hasSizes)
                ? plan.sizes().counts(plan.shape().type()).getLast()
                        * plan.shape().type().bytes()
                : 0;
    }

    private static Caller caller(CallerKind kind, LocalWorld world) {
        CallOptions options = CallOptions.DEFAULT; // of the barrier that starts a batch: the planner's algorithm
        return switch (kind) {
            case THREAD -> new ThreadCaller(world, options);
            case LOOP -> new LoopCaller(world, options);
        };
    }
}

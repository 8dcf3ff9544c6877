package io.parex.bench;

import io.parex.schedule.Primitive;
import io.parex.world.LocalWorld;
import io.parex.world.WorldOptions;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Runs a {@link BenchPlan} on a world of its own. One run at a time; the calling thread blocks. */
public final class Bench {
    private final BenchPlan plan;
    private final BenchListener listener;
    private final int jvms;
    private final Supplier<Site> site;

    private Bench(BenchPlan plan, BenchListener listener, int jvms, Supplier<Site> site) {
        this.plan = plan;
        this.listener = listener;
        this.jvms = jvms;
        this.site = site;
    }

    /**
     * A run of {@code plan} that tells {@code listener}, all ranks in this process.
     *
     * @param wholeTensorBytes what its algorithms need of scratch for whole tensors, all ranks together
     */
    public static Bench inJvm(BenchPlan plan, BenchListener listener, long wholeTensorBytes) {
        return inJvm(plan, listener, wholeTensorBytes, Workloads::standard);
    }

    static Bench inJvm(BenchPlan plan, BenchListener listener, long wholeTensorBytes, Workloads workloads) {
        return new Bench(plan, listener, 1, () -> {
            LocalWorld world =
                    LocalWorld.start(plan.ranks(), options(plan.timing().callTimeout(), wholeTensorBytes));
            return new LocalSite(world, plan.shape(), plan.largestBytes(), workloads);
        });
    }

    /**
     * A run of {@code plan} that tells {@code listener}, each rank in a process of its own.
     *
     * @param members just started, in the order of ranks
     * @param wholeTensorBytes what its algorithms need of scratch for whole tensors, all ranks together
     */
    public static Bench ofMembers(
            BenchPlan plan, BenchListener listener, List<MemberChannel> members, long wholeTensorBytes) {
        return new Bench(plan, listener, plan.ranks(), () -> new MemberSite(members, plan, wholeTensorBytes));
    }

    /** Settings of a world whose algorithms need {@code wholeTensorBytes} of scratch in each process. */
    static WorldOptions options(Duration callTimeout, long wholeTensorBytes) {
        return WorldOptions.DEFAULT
                .withName("bench")
                .withCallTimeout(callTimeout)
                // A time is asked for, also of an algorithm that the planner would not choose for so large a tensor.
                .withCopyPoolBytes(WorldOptions.DEFAULT.copyPoolBytes() + wholeTensorBytes);
    }

    /**
     * Measures everything, which takes as long as the plan says.
     *
     * @return elements that were wrong, over all points; 0 is good
     * @throws io.parex.ParexException if a call fails, after which nothing more is measured
     */
    public long run() {
        try (Site ranks = site.get()) {
            long wrong = 0;
            for (Series series : plan.series()) {
                wrong += run(series, ranks);
            }
            return wrong;
        }
    }

    private long run(Series series, Site ranks) {
        listener.started(series);
        WarmUp warmUp = new WarmUp(plan.timing().warmUp(), jvmsPerProcessor(), System::nanoTime);
        long wrong = 0;
        for (long count : plan.counts(series)) {
            PointResult point = measure(series, count, ranks.point(series, count), warmUp);
            listener.measured(point);
            wrong += point.figures().wrong();
        }
        listener.ended(series);
        return wrong;
    }

    private int jvmsPerProcessor() {
        return Math.ceilDiv(jvms, Runtime.getRuntime().availableProcessors());
    }

    private PointResult measure(Series series, long count, Point point, WarmUp warmUp) {
        long bytes = count * plan.shape().type().bytes();
        String what = series + ", " + bytes + " bytes: ";
        Measurement measurement =
                new Measurement(point, bytes, warmUp, plan.timing(), activity -> listener.progress(what + activity));
        Figures figures = measurement.take();
        Primitive primitive = series.primitive();
        return new PointResult(
                series,
                point.algorithm(), // of the last verification
                primitive.rooted() ? plan.shape().root() : -1,
                point.traits().inPlace(),
                series.hasSizes() ? plan.shape().type() : null,
                primitive.reducing() ? plan.shape().op() : null,
                count,
                plan.ranks(),
                figures);
    }
}

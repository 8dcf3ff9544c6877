package io.parex.bench;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.algorithm.Algorithm;
import io.parex.algorithm.Shape;
import io.parex.planner.AlgorithmRegistry;
import io.parex.planner.CostFit;
import io.parex.planner.LinkCosts;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.world.LocalWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * Measures what links cost: runs every algorithm of barrier, broadcast and all_reduce with tensors of several sizes and
 * fits the costs to the times. The ranks of a world call alike, wherever they live, so every process makes the same
 * calls, as many of each. One thread, which blocks.
 */
public final class Tuning implements AutoCloseable {
    /** For the compilers. */
    private static final int WARM_UP_PASSES = 2;

    private static final int PASSES = 5;
    private static final long[] BYTES = {64, 4 << 10, 64 << 10, 512 << 10, 4 << 20};
    private static final long LARGEST_BYTES = 4 << 20;

    /** Calls of a point, and bytes that they move about, in a pass. */
    private static final int MOST_CALLS = 200;

    private static final long PASS_BYTES = 32 << 20;
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final CallShape SHAPE = new CallShape(DataType.FLOAT32, ReduceOp.SUM, 0, false);
    private static final double NANOS_PER_SECOND = 1e9;

    private final int ranks;
    private final List<LocalSite> sites;
    private final ExecutorService threads;

    /**
     * A call that was measured.
     *
     * @param algorithm that it was made with
     * @param shape of it
     * @param seconds that the slowest rank of this process took, median of the passes
     */
    public record Measured(Algorithm algorithm, Shape shape, double seconds) {}

    /** What is called, with what, and how long it took in each pass. */
    private record Probe(Algorithm algorithm, long count, double[] seconds) {
        Measured measured(int ranks) {
            int width = SHAPE.type().bytes();
            double[] sorted = seconds.clone();
            Arrays.sort(sorted);
            Shape shape = new Shape(ranks, (double) count * width, width, width);
            return new Measured(algorithm, shape, sorted[sorted.length / 2]);
        }
    }

    /**
     * Measures on the worlds of one or more ranks of this process, which together are all ranks, or all of this
     * process. Closes them in the end.
     */
    public Tuning(List<LocalWorld> here) {
        ranks = here.getFirst().ranks().getFirst().size();
        if (ranks < 2) {
            throw ParexException.argument("links are measured between 2 ranks or more, not " + ranks);
        }
        sites = here.stream()
                .map(world -> new LocalSite(world, SHAPE, LARGEST_BYTES, Workloads::standard))
                .toList();
        threads = Executors.newFixedThreadPool(sites.size());
    }

    /**
     * Measures all calls, in passes over all of them.
     *
     * @param progress is told what goes on
     */
    public List<Measured> measure(Consumer<String> progress) {
        List<Probe> probes = probes();
        for (int pass = -WARM_UP_PASSES; pass < PASSES; pass++) {
            progress.accept(
                    pass < 0
                            ? "warming up, " + (pass + WARM_UP_PASSES + 1) + " of " + WARM_UP_PASSES
                            : "measuring " + probes.size() + " kinds of calls, " + (pass + 1) + " of " + PASSES);
            for (Probe probe : probes) {
                double seconds = seconds(probe);
                if (pass >= 0) {
                    probe.seconds[pass] = seconds;
                }
            }
        }
        return probes.stream().map(probe -> probe.measured(ranks)).toList();
    }

    /**
     * The costs of links that fit.
     *
     * @param start of what kind they are, how many ranks work at once, and a guess of the rest
     */
    public static CostFit.Fit fit(List<Measured> calls, LinkCosts start) {
        return CostFit.of(
                calls.stream()
                        .map(call -> new CostFit.Observation(call.algorithm.effort(call.shape), call.seconds))
                        .toList(),
                start);
    }

    private static List<Probe> probes() {
        List<Probe> probes = new ArrayList<>();
        AlgorithmRegistry registry = AlgorithmRegistry.standard();
        for (Primitive primitive : List.of(Primitive.BARRIER, Primitive.BROADCAST, Primitive.ALL_REDUCE)) {
            for (Algorithm algorithm : registry.of(primitive)) {
                if (algorithm.looksAtHosts()) {
                    // Between ranks that are all alike it is the same as another.
                    continue;
                }
                for (long bytes : primitive == Primitive.BARRIER ? new long[] {0} : BYTES) {
                    probes.add(new Probe(algorithm, bytes / SHAPE.type().bytes(), new double[PASSES]));
                }
            }
        }
        return probes;
    }

    /** Mean time of a call of the slowest rank here. */
    private double seconds(Probe probe) {
        Series series = new Series(probe.algorithm.primitive(), probe.algorithm.name(), CallerKind.LOOP);
        long bytes = Math.max(1, probe.count * SHAPE.type().bytes());
        int calls = Math.clamp(PASS_BYTES / bytes, 1, MOST_CALLS);
        List<CompletableFuture<Double>> slowest = new ArrayList<>();
        for (LocalSite site : sites) {
            LocalPoint point = site.point(series, probe.count);
            point.prepare();
            slowest.add(CompletableFuture.supplyAsync(() -> slowest(point.run(calls, LIMIT)) / calls, threads));
        }
        try {
            return slowest.stream().mapToDouble(CompletableFuture::join).max().orElseThrow();
        } catch (CompletionException e) {
            throw e.getCause() instanceof ParexException known
                    ? known
                    : new ParexException(ErrorKind.PROTOCOL, "a call failed: " + e.getCause(), e);
        }
    }

    private static double slowest(List<long[]> stamps) {
        return stamps.stream()
                .mapToDouble(stamp -> (stamp[stamp.length - 1] - stamp[0]) / NANOS_PER_SECOND)
                .max()
                .orElseThrow();
    }

    @Override
    public void close() {
        threads.shutdownNow();
        sites.forEach(LocalSite::close);
    }
}

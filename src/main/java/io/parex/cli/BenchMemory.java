package io.parex.cli;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import io.parex.ParexException;
import io.parex.bench.BenchPlan;
import io.parex.bench.Exchange;
import io.parex.bench.Series;
import io.parex.planner.AlgorithmRegistry;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The memory that a benchmark needs at its largest size. Asked for up front: a machine that has not so much would swap
 * for minutes, or kill the process, at the first fill of the tensors.
 *
 * @param tensorBytes inputs and outputs of all ranks
 * @param scratchBytes whole tensors that an algorithm chosen by name keeps beside them, all ranks together
 * @param processTensorBytes inputs and outputs in one process, of that which has most
 * @param processBytes what the processes need beside that, if each rank has one of its own
 */
record BenchMemory(long tensorBytes, long scratchBytes, long processTensorBytes, long processBytes) {
    private static final double GIB = 1L << 30;

    /** Of a process with one rank: the JVM, and what has arrived and waits; 181 to 194 MB resident were seen. */
    private static final long MEMBER_BYTES = 192L << 20;

    /** What {@code plan} needs if each rank has a process of its own, or if all are in this one. */
    static BenchMemory of(BenchPlan plan, Isolation isolation) {
        long inputs = 0;
        long outputs = 0;
        long scratch = 0;
        for (Series series : plan.series()) {
            inputs = Math.max(inputs, inputs(series, plan));
            outputs = Math.max(outputs, outputs(series, plan));
            scratch = Math.max(scratch, scratchElements(series, plan));
        }
        int width = plan.shape().type().bytes();
        long largest = plan.largestBytes();
        long tensorBytes = product(inputs + outputs, largest);
        long scratchBytes = product(plan.ranks(), scratch, width);
        return switch (isolation) {
            case JVM -> new BenchMemory(tensorBytes, scratchBytes, tensorBytes, 0);
            case PROCESS ->
                new BenchMemory(
                        tensorBytes,
                        scratchBytes,
                        product(Math.min(inputs, 1) + Math.min(outputs, 1), largest),
                        product(plan.ranks(), MEMBER_BYTES));
        };
    }

    /** Ranks with a buffer beside that for their output. */
    private static long inputs(Series series, BenchPlan plan) {
        if (!series.primitive().isCollective()) {
            return outputs(series, plan);
        }
        Exchange exchange = plan.exchange(series, plan.counts(series).getLast());
        return IntStream.range(0, plan.ranks())
                .filter(rank -> exchange.hasInput(rank) && exchange.hasOutput(rank) && !exchange.isShared(rank))
                .count();
    }

    /** Ranks with a buffer: all that take part. */
    private static long outputs(Series series, BenchPlan plan) {
        if (!series.hasSizes()) {
            return 0;
        }
        return BenchPlan.needsPair(series.primitive()) ? 2 : plan.ranks();
    }

    /** Of a rank; it is the root that may hold most. The planner chooses by size, so that its choice needs little. */
    private static long scratchElements(Series series, BenchPlan plan) {
        if (series.algorithm() == null || !series.hasSizes()) {
            return 0;
        }
        int root = plan.shape().root();
        Problem problem = Problem.of(
                series.primitive(),
                root,
                plan.ranks(),
                plan.counts(series).getLast(),
                root,
                plan.shape().inPlace());
        return AlgorithmRegistry.standard()
                .find(series.primitive(), series.algorithm())
                .schedule(problem)
                .scratch()
                .stream()
                .filter(buffer -> !buffer.pipe())
                .mapToLong(Schedule.Scratch::length)
                .sum();
    }

    /** The product, or the largest number there is. */
    private static long product(long... factors) {
        long product = 1;
        for (long factor : factors) {
            if (factor != 0 && product > Long.MAX_VALUE / factor) {
                return Long.MAX_VALUE;
            }
            product *= factor;
        }
        return product;
    }

    private static long sum(long left, long right) {
        return left > Long.MAX_VALUE - right ? Long.MAX_VALUE : left + right;
    }

    /** Refuses a plan that needs more than there is now. */
    void requireAvailable(BenchPlan plan) {
        require(plan, availableBytes(), mostDirectBytes());
    }

    /**
     * Refuses a plan that needs more than is there.
     *
     * @param availableBytes of memory, for everything
     * @param directBytes what the JVM allows for tensors, in each process
     * @throws ParexException of kind argument with what is needed and what is there
     */
    void require(BenchPlan plan, long availableBytes, long directBytes) {
        long needed = sum(sum(tensorBytes, scratchBytes), processBytes);
        String text = plan.ranks() + " ranks need " + gib(needed) + " of memory for tensors of up to "
                + plan.sizes().maxBytes() + " bytes";
        if (needed > availableBytes) {
            throw ParexException.argument(
                    text + ", and " + gib(availableBytes) + " are available; lower --max-bytes or -n");
        }
        if (processTensorBytes > directBytes) {
            throw ParexException.argument(text + ", " + gib(processTensorBytes)
                    + " of it in one process, and the JVM allows " + gib(directBytes)
                    + "; lower --max-bytes or -n, or set PAREX_JAVA_OPTS=-XX:MaxDirectMemorySize=...");
        }
    }

    private static String gib(long bytes) {
        return String.format(Locale.ROOT, "%.2f GiB", bytes / GIB);
    }

    /** What the system can give without swapping, within the limit of the container. */
    private static long availableBytes() {
        long total = ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
        try {
            return Files.readAllLines(Path.of("/proc/meminfo")).stream()
                    .filter(line -> line.startsWith("MemAvailable:"))
                    .mapToLong(line -> Math.min(total, Long.parseLong(line.replaceAll("\\D", "")) << 10))
                    .findFirst()
                    .orElse(total);
        } catch (IOException e) {
            return total; // another system
        }
    }

    private static long mostDirectBytes() {
        String limit = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize")
                .getValue();
        long set = Long.parseLong(limit);
        return set > 0 ? set : Runtime.getRuntime().maxMemory();
    }
}

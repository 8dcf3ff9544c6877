package io.parex.service;

import com.sun.management.OperatingSystemMXBean;
import io.parex.ParexException;
import io.parex.world.WorldOptions;
import io.quarkus.runtime.configuration.MemorySize;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Set;

/** What {@link ParexConfig} means, with what only this machine can tell. */
final class Settings {
    private static final long MOST_STAGING_BYTES = 8L << 30;

    /** For the windows of a large reduction, 512 KiB, and as much again for copies of small messages. */
    private static final long SCRATCH_BYTES_PER_RANK = 1 << 20;

    /** So many times that is the default, which must do for every world. */
    private static final int MOST_RANKS_COUNTED = 256;

    private static final Set<String> KERNELS = Set.of("auto", "vector", "scalar");

    private Settings() {}

    /** Passes on what the kernels, which know no configuration, read when the first reduction is made. */
    static void chooseKernels(ParexConfig config) {
        System.setProperty(Setting.KERNELS.property(), config.kernels());
    }

    /** Refuses a configuration that makes no sense, or asks for what this release cannot do. */
    static void check(ParexConfig config) {
        int size = config.world().size();
        if (size < 1 || size > Setting.MAX_RANKS) {
            throw Setting.WORLD_SIZE.refusal(size);
        }
        int here = config.ranksPerProcess().orElse(size);
        if (here != size) {
            throw refused(Setting.RANKS_PER_PROCESS + " is " + here + " where " + Setting.WORLD_SIZE + " is " + size
                    + ": that asks for ranks in several processes; this release hosts all ranks of a world in one."
                    + " Leave it out, or set it to " + size);
        }
        if (config.rank().orElse(0) != 0) {
            throw refused(Setting.RANK + " is " + config.rank().getAsInt() + ": that asks for this process to be one"
                    + " of several; this release hosts all " + size + " ranks of a world in one. Leave it out");
        }
        if (!KERNELS.contains(config.kernels())) {
            throw Setting.KERNELS.refusal(config.kernels());
        }
        long scratch = config.scratch().maxBytes().asLongValue();
        if (scratch < Math.min(size, MOST_RANKS_COUNTED) * SCRATCH_BYTES_PER_RANK) {
            throw Setting.SCRATCH_MAX_BYTES.refusal(scratch);
        }
        checkTimeouts(config.timeout());
    }

    private static void checkTimeouts(ParexConfig.TimeoutConfig timeout) {
        requirePositive(Setting.TIMEOUT_CALL, timeout.call());
        requirePositive(Setting.TIMEOUT_WARN, timeout.warn());
        requirePositive(Setting.TIMEOUT_STALLED_READER, timeout.stalledReader());
        if (timeout.drain().isNegative()) {
            throw Setting.TIMEOUT_DRAIN.refusal(timeout.drain());
        }
    }

    private static void requirePositive(Setting setting, Duration value) {
        if (!value.isPositive()) {
            throw setting.refusal(value);
        }
    }

    private static ParexException refused(String text) {
        return ParexException.argument(text);
    }

    static WorldOptions world(ParexConfig config) {
        return WorldOptions.DEFAULT
                .withName(config.world().name())
                .withCallTimeout(config.timeout().call())
                .withWarnAfter(config.timeout().warn())
                .withAlgorithms(config.algorithm().orElse(null))
                .withCopyPoolBytes(config.scratch().maxBytes().asLongValue());
    }

    static EdgeLimits edge(ParexConfig config) {
        return new EdgeLimits(
                config.staging().maxBytes().map(MemorySize::asLongValue).orElseGet(Settings::quarterOfMemory),
                config.staging().windowBytes().asLongValue(),
                EdgeLimits.DEFAULT.chunkBytes(),
                config.session().maxOperations(),
                config.timeout().call(),
                config.timeout().stalledReader());
    }

    private static long quarterOfMemory() {
        // Knows the limit of the container that the process is in.
        OperatingSystemMXBean machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return Math.min(machine.getTotalMemorySize() / 4, MOST_STAGING_BYTES);
    }
}

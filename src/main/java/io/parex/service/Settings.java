package io.parex.service;

import com.sun.management.OperatingSystemMXBean;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.world.WorldOptions;
import io.quarkus.runtime.configuration.MemorySize;
import java.lang.management.ManagementFactory;

/** What {@link ParexConfig} means, with what only this machine can tell. */
final class Settings {
    private static final long MOST_STAGING_BYTES = 8L << 30;

    private Settings() {}

    /** Refuses a configuration that asks for what this release cannot do. */
    static void check(ParexConfig config) {
        int size = config.world().size();
        int here = config.ranksPerProcess().orElse(size);
        if (here != size) {
            throw refused("parex.ranks-per-process=" + here + " with parex.world.size=" + size
                    + " asks for ranks in several processes; this release hosts all ranks of a world in one."
                    + " Leave parex.ranks-per-process out, or set it to " + size);
        }
        if (config.rank().orElse(0) != 0) {
            throw refused("parex.rank=" + config.rank().getAsInt() + " asks for this process to be one of several; this"
                    + " release hosts all " + size + " ranks of a world in one. Leave parex.rank out");
        }
    }

    private static ParexException refused(String text) {
        return new ParexException(ErrorKind.ARGUMENT, text);
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

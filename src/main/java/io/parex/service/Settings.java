package io.parex.service;

import com.sun.management.OperatingSystemMXBean;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.planner.CostTable;
import io.parex.planner.LinkCosts;
import io.parex.planner.LinkKind;
import io.parex.world.LocalWorld;
import io.parex.world.World;
import io.parex.world.WorldOptions;
import io.quarkus.runtime.configuration.MemorySize;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What {@link ParexConfig} means, with what only this machine can tell. */
final class Settings {
    private static final long MOST_STAGING_BYTES = 8L << 30;

    /** For the windows of a large reduction, 512 KiB, and as much again for copies of small messages. */
    private static final long SCRATCH_BYTES_PER_RANK = 1 << 20;

    /** So many times that is the default, which must do for every world. */
    private static final int MOST_RANKS_COUNTED = 256;

    /** The default of {@link Setting#FABRIC_PORT}. */
    private static final int FABRIC_PORT = 7610;

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
        checkRanks(config, size);
        if (!Setting.KERNEL_NAMES.contains(config.kernels())) {
            throw Setting.KERNELS.refusal(config.kernels());
        }
        long scratch = config.scratch().maxBytes().asLongValue();
        if (scratch < Math.min(size, MOST_RANKS_COUNTED) * SCRATCH_BYTES_PER_RANK) {
            throw Setting.SCRATCH_MAX_BYTES.refusal(scratch);
        }
        checkTimeouts(config.timeout());
    }

    private static void checkRanks(ParexConfig config, int size) {
        boolean spread = Spread.isAskedFor(config);
        int here = config.ranksPerProcess().orElse(spread ? 1 : size);
        if (spread && here != 1) {
            throw refused(Setting.RANKS_PER_PROCESS + " is " + here + " in a world of several processes, each of which"
                    + " hosts one rank in this release. Leave it out, or set it to 1");
        }
        if (!spread && here != size) {
            throw refused(Setting.RANKS_PER_PROCESS + " is " + here + " where " + Setting.WORLD_SIZE + " is " + size
                    + ": that asks for ranks in several processes, but nothing says where the others are; set "
                    + Setting.PEERS + " or " + Setting.SERVICE);
        }
        if (!spread) {
            refuseOfOthers(Setting.RANK, config.rank().orElse(0), 0);
            refuseOfOthers(Setting.STATEFUL_SET, config.statefulSet().orElse(""), "");
            refuseOfOthers(Setting.ADVERTISE, config.advertise().orElse(""), "");
            refuseOfOthers(Setting.FABRIC_HOST, config.fabric().host().orElse(""), "");
            refuseOfOthers(Setting.FABRIC_PORT, config.fabric().port(), FABRIC_PORT);
            refuseOfOthers(Setting.ADDRESS_FAMILY, config.addressFamily(), "any");
        }
    }

    /** What would be of no effect in a world of one process is no wish for such a world. */
    private static void refuseOfOthers(Setting setting, Object value, Object alone) {
        if (!value.equals(alone)) {
            throw refused(setting + " is " + value + ": that asks for this process to be one of several, but nothing"
                    + " says where the others are; set " + Setting.PEERS + " or " + Setting.SERVICE);
        }
    }

    private static void checkTimeouts(ParexConfig.TimeoutConfig timeout) {
        requirePositive(Setting.TIMEOUT_CALL, timeout.call());
        requirePositive(Setting.TIMEOUT_WARN, timeout.warn());
        requirePositive(Setting.TIMEOUT_PEER, timeout.peer());
        requirePositive(Setting.TIMEOUT_START, timeout.start());
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

    /** The costs of one kind of links; refuses a table that cannot be read. */
    static LinkCosts costs(ParexConfig config, LinkKind kind) {
        String file = config.costTable().orElse(null);
        if (file == null) {
            return CostTable.standard().of(kind);
        }
        try {
            return CostTable.parse(Files.readString(Path.of(file)), file).of(kind);
        } catch (IOException | InvalidPathException e) {
            String why = e instanceof NoSuchFileException ? "there is no such file" : e.toString();
            throw refused(Setting.COST_TABLE + " is '" + file + "', which cannot be read: " + why);
        } catch (ParexException e) {
            throw refused(Setting.COST_TABLE + ": " + e.getMessage());
        }
    }

    /** Anything but the two words is refused: what was meant to be true must not count as false. */
    private static boolean isDeterministic(ParexConfig config) {
        return switch (config.deterministic()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw Setting.DETERMINISTIC.refusal(config.deterministic());
        };
    }

    static WorldOptions world(ParexConfig config, LinkCosts costs) {
        return WorldOptions.DEFAULT
                .withName(config.world().name())
                .withCallTimeout(config.timeout().call())
                .withWarnAfter(config.timeout().warn())
                .withStartTimeout(config.timeout().start())
                .withAlgorithms(config.algorithm().orElse(null))
                .withDeterministic(isDeterministic(config))
                .withCosts(costs)
                .withCopyPoolBytes(config.scratch().maxBytes().asLongValue());
    }

    /** What {@code start} gives; it can refuse nothing but the choice of algorithms, all else was looked at before. */
    static LocalWorld started(Supplier<LocalWorld> start) {
        try {
            return start.get();
        } catch (ParexException e) {
            throw e.kind() == ErrorKind.ARGUMENT ? refused(Setting.ALGORITHM + ": " + e.getMessage()) : e;
        }
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

    /** The sockets for shared memory; of no effect if no directory is set. */
    static SharedDoors shared(ParexConfig config, List<World> ranks) {
        ParexConfig.SharedConfig shared = config.shared();
        if (shared.directory().isEmpty()) {
            return SharedDoors.none();
        }
        long all = shared.maxBytes().map(MemorySize::asLongValue).orElseGet(Settings::quarterOfMemory);
        long one = shared.clientMaxBytes().map(MemorySize::asLongValue).orElse(all / ranks.size());
        if (all <= 0) {
            throw Setting.SHARED_MAX_BYTES.refusal(all);
        }
        if (one <= 0 || one > all) {
            throw Setting.SHARED_CLIENT_MAX_BYTES.refusal(one);
        }
        return SharedDoors.open(
                Path.of(shared.directory().get()), users(shared.users().orElse("")), new SharedBudget(all, one), ranks);
    }

    private static Set<Integer> users(String text) {
        try {
            return Stream.of(text.split(","))
                    .map(String::strip)
                    .filter(user -> !user.isEmpty())
                    .map(Integer::parseUnsignedInt)
                    .collect(Collectors.toSet());
        } catch (NumberFormatException e) {
            throw Setting.SHARED_USERS.refusal(text);
        }
    }

    private static long quarterOfMemory() {
        // Knows the limit of the container that the process is in.
        OperatingSystemMXBean machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return Math.min(machine.getTotalMemorySize() / 4, MOST_STAGING_BYTES);
    }
}

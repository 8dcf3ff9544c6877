package io.parex.service;

import io.parex.ParexException;
import io.quarkus.runtime.configuration.DurationConverter;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * The settings by name, each with what may stand for it: whoever refuses a value says the same about it. Those of
 * {@link ParexConfig}, and the ports.
 */
public enum Setting {
    /** Name of the world. */
    WORLD_NAME("parex.world.name", "any text that is not empty"),
    /** Number of ranks. */
    WORLD_SIZE("parex.world.size", "a whole number, 1 to " + Setting.MAX_RANKS),
    /** First rank of the process. */
    RANK("parex.rank", "a whole number, 0 to parex.world.size - 1"),
    /** Ranks of each process. */
    RANKS_PER_PROCESS("parex.ranks-per-process", "1 where ranks are discovered, else what parex.world.size is"),
    /** How the other ranks are found. */
    DISCOVERY("parex.discovery", "static or dns"),
    /** Where they are. */
    PEERS("parex.peers", "host:port of every rank, in order, separated by commas"),
    /** The headless service of the ranks. */
    SERVICE("parex.service", "the name of a headless service"),
    /** The StatefulSet of the ranks. */
    STATEFUL_SET("parex.stateful-set", "the name of a StatefulSet"),
    /** Addresses that count. */
    ADDRESS_FAMILY("parex.address-family", "ipv4, ipv6 or any"),
    /** Address by which others know this rank. */
    ADVERTISE("parex.advertise", "host or host:port"),
    /** Address of the listener for other ranks. */
    FABRIC_HOST("parex.fabric.host", "an address of this host"),
    /** Its port. */
    FABRIC_PORT("parex.fabric.port", Setting.PORT),
    /** Choice of algorithms. */
    ALGORITHM("parex.algorithm", "text such as all_reduce:ring;broadcast:^chain"),
    /** Whether all reductions are in the order of the ranks. */
    DETERMINISTIC("parex.deterministic", "true or false"),
    /** Costs of links. */
    COST_TABLE("parex.cost-table", "a file that parex tune has written"),
    /** What reduces. */
    KERNELS("parex.kernels", "auto, vector or scalar"),
    /** Memory between clients and fabric. */
    STAGING_MAX_BYTES("parex.staging.max-bytes", "a size such as 2G, at least two of parex.staging.window-bytes"),
    /** Window of a stream. */
    STAGING_WINDOW_BYTES("parex.staging.window-bytes", "a size such as 4M, at least 2M, a multiple of 16"),
    /** Memory of the fabric. */
    SCRATCH_MAX_BYTES("parex.scratch.max-bytes", "a size such as 256M, at least 1M for each rank or 256M in all"),
    /** Where clients ask for shared memory. */
    SHARED_DIRECTORY("parex.shared.directory", "a directory that clients see at the same path"),
    /** Memory shared with all clients. */
    SHARED_MAX_BYTES("parex.shared.max-bytes", "a size such as 2G"),
    /** Memory shared with one client. */
    SHARED_CLIENT_MAX_BYTES("parex.shared.client-max-bytes", "a size such as 1G, at most parex.shared.max-bytes"),
    /** Who may be a client. */
    SHARED_USERS("parex.shared.users", "numbers of users, separated by commas"),
    /** Operations of a session. */
    SESSION_MAX_OPERATIONS("parex.session.max-operations", "a whole number, at least 1"),
    /** Limit of a call. */
    TIMEOUT_CALL("parex.timeout.call", Setting.POSITIVE),
    /** When a waiting call is logged. */
    TIMEOUT_WARN("parex.timeout.warn", Setting.POSITIVE),
    /** When a silent rank is lost. */
    TIMEOUT_PEER("parex.timeout.peer", Setting.POSITIVE),
    /** How long the other ranks may take to be there. */
    TIMEOUT_START("parex.timeout.start", Setting.POSITIVE),
    /** How long a shutdown waits. */
    TIMEOUT_DRAIN("parex.timeout.drain", "0 or a duration such as 25s or 2m"),
    /** When a stalled reader is cut. */
    TIMEOUT_STALLED_READER("parex.timeout.stalled-reader", Setting.POSITIVE),
    /** Port of gRPC. */
    GRPC_PORT("quarkus.grpc.server.port", Setting.PORT),
    /** Port of metrics and health. */
    MANAGEMENT_PORT("quarkus.management.port", Setting.PORT),
    /** Port of the console. */
    HTTP_PORT("quarkus.http.port", Setting.PORT);

    /** What {@link #KERNELS} can be. */
    public static final Set<String> KERNEL_NAMES = Set.of("auto", "vector", "scalar");

    static final int MAX_RANKS = 1024;
    private static final String POSITIVE = "a duration above 0, such as 500ms, 30s or 10m";
    private static final String PORT = "a whole number, 0 (any port that is free) to 65535";

    private final String property;
    private final String allowed;

    Setting(String property, String allowed) {
        this.property = property;
        this.allowed = allowed;
    }

    /** Its name as a property, such as {@code parex.world.size}. */
    public String property() {
        return property;
    }

    /** Its name in the environment, such as {@code PAREX_WORLD_SIZE}. */
    public String variable() {
        return variable(property);
    }

    /** The name in the environment of any property. */
    public static String variable(String property) {
        return property.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    /** Both names. */
    @Override
    public String toString() {
        return property + " (" + variable() + ")";
    }

    /** The error that says that it must not be {@code value}, in the words in which it was set. */
    public ParexException refusal(Object value) {
        return ParexException.argument(this + " is '" + asSet(value) + "'; allowed: " + allowed);
    }

    /** As it is written in the configuration; where that is not known, or not this value, as Java writes it. */
    private Object asSet(Object value) {
        return ConfigProvider.getConfig()
                .getOptionalValue(property, String.class)
                .filter(text -> means(text, value))
                .map(Object.class::cast)
                .orElse(value);
    }

    private static boolean means(String text, Object value) {
        try {
            return switch (value) {
                case Duration duration -> DurationConverter.parseDuration(text).equals(duration);
                case Long bytes -> new MemorySizeConverter().convert(text).asLongValue() == bytes;
                default -> false;
            };
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** That of a property. */
    public static Optional<Setting> of(String property) {
        return Arrays.stream(values())
                .filter(setting -> setting.property.equals(property))
                .findFirst();
    }

    /** The error that says that there is none of that name, a property or a variable, and which one may be meant. */
    public static ParexException unknown(String name) {
        String asked = name.replace('_', '.').replace('-', '.').toLowerCase(Locale.ROOT);
        Setting nearest = Arrays.stream(values())
                .min(Comparator.comparingInt(setting -> distance(asked, setting.property.replace('-', '.'))))
                .orElseThrow();
        return ParexException.argument("there is no setting " + name + "; the nearest is " + nearest);
    }

    /** Characters to insert, remove or replace between the two. */
    private static int distance(String left, String right) {
        int[] above = new int[right.length() + 1];
        Arrays.setAll(above, column -> column);
        for (int row = 1; row <= left.length(); row++) {
            int[] here = new int[above.length];
            here[0] = row;
            for (int column = 1; column < here.length; column++) {
                int replaced = above[column - 1] + (left.charAt(row - 1) == right.charAt(column - 1) ? 0 : 1);
                here[column] = Math.min(replaced, 1 + Math.min(above[column], here[column - 1]));
            }
            above = here;
        }
        return above[right.length()];
    }
}

package io.parex.planner;

import io.parex.ParexException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Costs of links by kind, from which all ranks of a world choose algorithms alike. Built in, or read from a text with a
 * value a line, such as {@code memory.latency = 3.0E-6}; a kind of which the text says nothing is as built in.
 * Immutable.
 */
public final class CostTable {
    private static final CostTable BUILT_IN = new CostTable(builtIn());

    private final Map<LinkKind, Map<Cost, Double>> costs;

    /** A column of the table. */
    private enum Cost {
        LATENCY("latency", 10),
        OVERHEAD("overhead", 10),
        PER_BYTE("per-byte", 1),
        PER_REDUCED_BYTE("per-reduced-byte", 1),
        AT_ONCE("at-once", 4096);

        private final String label;
        private final double most;

        Cost(String label, double most) {
            this.label = label;
            this.most = most;
        }
    }

    private CostTable(Map<LinkKind, Map<Cost, Double>> costs) {
        this.costs = costs;
    }

    /** What holds where nothing else is given. */
    public static CostTable standard() {
        return BUILT_IN;
    }

    /** Of one host measured on two processors, of a network as is common at 25 Gbit/s with this engine. */
    private static Map<LinkKind, Map<Cost, Double>> builtIn() {
        Map<LinkKind, Map<Cost, Double>> built = new EnumMap<>(LinkKind.class);
        built.put(LinkKind.MEMORY, columns(3e-6, 3.5e-6, 1.2e-10, 5e-11, 2));
        built.put(LinkKind.LOOPBACK, columns(3e-6, 12e-6, 9e-10, 1e-11, 2));
        built.put(LinkKind.NETWORK, columns(30e-6, 10e-6, 5e-10, 5e-11, 0));
        return built;
    }

    private static Map<Cost, Double> columns(double... values) {
        Map<Cost, Double> columns = new EnumMap<>(Cost.class);
        for (Cost cost : Cost.values()) {
            columns.put(cost, values[cost.ordinal()]);
        }
        return columns;
    }

    /**
     * Reads a table.
     *
     * @param where it comes from, for the argument error that says what is wrong in which line
     */
    public static CostTable parse(String text, String where) {
        Map<LinkKind, Map<Cost, Double>> read = new EnumMap<>(LinkKind.class);
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            String stripped = line.strip();
            if (!stripped.isEmpty() && !stripped.startsWith("#")) {
                String at = "cost table " + where + ", line " + number + ": ";
                parseLine(stripped, at, read);
            }
        }
        if (read.isEmpty()) {
            throw ParexException.argument("cost table " + where + ": it says nothing; the first value may be "
                    + key(LinkKind.NETWORK, Cost.LATENCY) + " = 3.0E-5");
        }
        read.forEach((kind, columns) -> requireAll(where, kind, columns));
        Map<LinkKind, Map<Cost, Double>> all = builtIn();
        all.putAll(read);
        return new CostTable(all);
    }

    private static void parseLine(String line, String at, Map<LinkKind, Map<Cost, Double>> read) {
        String[] sides = line.split("=", 2);
        String key = sides[0].strip();
        LinkKind kind = Arrays.stream(LinkKind.values())
                .filter(each -> key.startsWith(each.label() + "."))
                .findAny()
                .orElse(null);
        Cost cost = Arrays.stream(Cost.values())
                .filter(each -> kind != null && key.equals(key(kind, each)))
                .findAny()
                .orElse(null);
        if (cost == null || sides.length < 2) {
            throw ParexException.argument(
                    at + "'" + line + "' is not of the form KIND.COST = NUMBER, where KIND is one of "
                            + labels(LinkKind.values()) + ", and COST one of " + labels(Cost.values()));
        }
        double value = number(sides[1].strip());
        boolean whole = cost != Cost.AT_ONCE || value == Math.rint(value);
        if (!(value >= 0 && value <= cost.most) || !whole) {
            throw ParexException.argument(at + key + " is '" + sides[1].strip() + "'; allowed: a "
                    + (cost == Cost.AT_ONCE ? "whole number" : "number of seconds") + " from 0 to "
                    + (long) cost.most);
        }
        if (read.computeIfAbsent(kind, any -> new EnumMap<>(Cost.class)).put(cost, value + 0.0) != null) {
            throw ParexException.argument(at + key + " is there twice");
        }
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    private static void requireAll(String where, LinkKind kind, Map<Cost, Double> columns) {
        for (Cost cost : Cost.values()) {
            if (!columns.containsKey(cost)) {
                throw ParexException.argument("cost table " + where + ": " + key(kind, cost) + " is missing");
            }
        }
    }

    private static String labels(Object[] values) {
        return Arrays.stream(values)
                .map(value -> value instanceof Cost cost ? cost.label : ((LinkKind) value).label())
                .collect(Collectors.joining(", "));
    }

    private static String key(LinkKind kind, Cost cost) {
        return kind.label() + "." + cost.label;
    }

    /** The costs of links of one kind. */
    public LinkCosts of(LinkKind kind) {
        Map<Cost, Double> columns = costs.get(kind);
        return new LinkCosts(
                kind,
                columns.get(Cost.LATENCY),
                columns.get(Cost.OVERHEAD),
                columns.get(Cost.PER_BYTE),
                columns.get(Cost.PER_REDUCED_BYTE),
                columns.get(Cost.AT_ONCE).intValue(),
                new LinkCosts.Table(fingerprint(kind), kind == LinkKind.NETWORK ? of(LinkKind.LOOPBACK) : null));
    }

    /** This table with other costs of the kind of links that they are of. */
    public CostTable with(LinkCosts other) {
        Map<LinkKind, Map<Cost, Double>> all = new EnumMap<>(costs);
        all.put(
                other.kind(),
                columns(other.latency(), other.overhead(), other.perByte(), other.perReducedByte(), other.atOnce()));
        return new CostTable(all);
    }

    /** The lines that {@link #parse} reads, by key. */
    public Map<String, String> lines() {
        Map<String, String> lines = new LinkedHashMap<>();
        costs.forEach(
                (kind, columns) -> columns.forEach((cost, value) -> lines.put(key(kind, cost), text(cost, value))));
        return Collections.unmodifiableMap(lines);
    }

    private static String text(Cost cost, double value) {
        return cost == Cost.AT_ONCE ? Integer.toString((int) value) : Double.toString(value);
    }

    /** A hash over all values of the table, and the kind that is chosen by. */
    private long fingerprint(LinkKind kind) {
        try {
            byte[] text = (kind.label() + lines()).getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text))
                    .getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}

package io.parex.planner;

import io.parex.ParexException;
import io.parex.algorithm.Algorithm;
import io.parex.schedule.Primitive;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a user says about the choice of algorithms, such as {@code all_reduce:ring;broadcast:^chain}: per primitive
 * either the algorithm to use, or, after {@code ^}, those not to use, separated by commas; {@code auto} leaves the
 * choice open.
 */
public final class AlgorithmOverrides {
    private final Map<Primitive, List<Algorithm>> allowed;

    private AlgorithmOverrides(Map<Primitive, List<Algorithm>> allowed) {
        this.allowed = allowed;
    }

    /** No override. */
    public static AlgorithmOverrides none() {
        return new AlgorithmOverrides(Map.of());
    }

    /**
     * Reads an override; null and blank say nothing. Whatever cannot be meant is an argument error: an unknown
     * primitive or algorithm, a primitive named twice, all algorithms excluded.
     */
    public static AlgorithmOverrides parse(String text, AlgorithmRegistry registry) {
        if (text == null || text.isBlank()) {
            return none();
        }
        Map<Primitive, List<Algorithm>> allowed = new EnumMap<>(Primitive.class);
        for (String entry : text.split(";", -1)) {
            int colon = entry.indexOf(':');
            if (colon < 0) {
                throw refused(text, "'" + entry.strip() + "' is not of the form PRIMITIVE:ALGORITHM");
            }
            Primitive primitive = primitive(entry.substring(0, colon).strip(), text, registry);
            List<Algorithm> choice =
                    choice(primitive, entry.substring(colon + 1).strip(), text, registry);
            if (allowed.put(primitive, choice) != null) {
                throw refused(text, primitive.label() + " is named twice");
            }
        }
        return new AlgorithmOverrides(allowed);
    }

    /** Whether the override leaves this algorithm to choose from. */
    boolean allows(Algorithm algorithm) {
        List<Algorithm> list = allowed.get(algorithm.primitive());
        return list == null || list.contains(algorithm);
    }

    /** Whether anything is said about a primitive. */
    boolean names(Primitive primitive) {
        return allowed.containsKey(primitive);
    }

    private static Primitive primitive(String label, String text, AlgorithmRegistry registry) {
        Set<String> known = new LinkedHashSet<>();
        for (Algorithm algorithm : registry.all()) {
            if (algorithm.primitive().label().equals(label)) {
                return algorithm.primitive();
            }
            known.add(algorithm.primitive().label());
        }
        throw refused(text, "no primitive '" + label + "' with algorithms; known: " + String.join(", ", known));
    }

    private static List<Algorithm> choice(Primitive primitive, String choice, String text, AlgorithmRegistry registry) {
        if (choice.equals("auto")) {
            return registry.of(primitive);
        }
        if (!choice.startsWith("^")) {
            return List.of(registry.find(primitive, choice));
        }
        Set<Algorithm> excluded = Arrays.stream(choice.substring(1).split(","))
                .map(name -> registry.find(primitive, name.strip()))
                .collect(Collectors.toSet());
        List<Algorithm> left = registry.of(primitive).stream()
                .filter(algorithm -> !excluded.contains(algorithm))
                .toList();
        if (left.isEmpty()) {
            throw refused(text, "no algorithm is left for " + primitive.label());
        }
        return left;
    }

    private static ParexException refused(String text, String reason) {
        return ParexException.argument("algorithm override '" + text + "': " + reason);
    }
}

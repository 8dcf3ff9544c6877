package io.parex.discovery;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/**
 * What was answered about the names that one name may mean. Each may fail in its own way: behind a cluster's server
 * there is often another for names that are not the cluster's, and what that one refuses says nothing of the pod.
 */
final class SearchResult {
    private final int candidates;
    private final SequencedMap<String, Answer> fruitless = new LinkedHashMap<>();

    /** Nothing yet of so many names. */
    SearchResult(int candidates) {
        this.candidates = candidates;
    }

    /** The answer about the next of them, which has no address. */
    void add(String name, Answer answer) {
        fruitless.put(bare(name), answer);
    }

    /** What to make of all of them. */
    Answer verdict() {
        Answer last = fruitless.lastEntry().getValue();
        // That a name exists without an address says more than that another does not exist.
        Answer known = !last.isAbsent()
                ? last
                : fruitless.values().stream()
                        .filter(answer -> answer.outcome() == Outcome.NO_ADDRESS)
                        .findFirst()
                        .orElse(last);
        return known.withText(text());
    }

    /** The names are told where they matter: one is like the other if all of them are answered in the same way. */
    private String text() {
        Map<String, List<String>> names = new LinkedHashMap<>();
        fruitless.forEach((name, answer) ->
                names.computeIfAbsent(answer.text(), any -> new ArrayList<>()).add(name));
        if (names.size() == 1 && fruitless.size() == candidates) {
            return names.keySet().iterator().next();
        }
        return names.entrySet().stream()
                .map(entry -> entry.getKey() + " as " + String.join(", ", entry.getValue()))
                .collect(Collectors.joining("; "));
    }

    private static String bare(String name) {
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }
}

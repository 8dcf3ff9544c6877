package io.parex.discovery;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/** Addresses until their time to live ends. Failures are not kept: a pod that starts gets its name at any moment. */
final class AddressCache {
    /** Four times the names of the largest world; beyond it the oldest are forgotten, and asked for again. */
    private static final int MAX_NAMES = 4096;

    private final LongSupplier nanoTime;
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    AddressCache(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The addresses of {@code name}, or an empty list if it has to be asked for. */
    List<InetAddress> get(String name) {
        String key = key(name);
        Entry entry = entries.get(key);
        if (entry == null) {
            return List.of();
        }
        // Compared as a difference: nanoTime may overflow.
        if (nanoTime.getAsLong() - entry.sinceNanos >= entry.answer.ttlNanos()) {
            entries.remove(key);
            return List.of();
        }
        return entry.answer.addresses();
    }

    /** Keeps an answer, from the time at which it was asked for: a slow answer is not fresher for that. */
    void put(String name, Answer answer, long askedNanos) {
        if (!answer.isFound() || answer.ttlNanos() == 0) {
            return;
        }
        String key = key(name);
        entries.remove(key);
        if (entries.size() >= MAX_NAMES) {
            entries.remove(entries.keySet().iterator().next());
        }
        entries.put(key, new Entry(answer, askedNanos));
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private record Entry(Answer answer, long sinceNanos) {}
}

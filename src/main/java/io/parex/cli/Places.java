package io.parex.cli;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where a running server is found.
 *
 * @param addresses what is there, and its address
 */
record Places(SequencedMap<String, String> addresses) {
    /** Hosts of a listener that listens on all addresses, loopback included. */
    private static final Set<String> ALL_ADDRESSES = Set.of("0.0.0.0", "::", "[::]");

    private static final String LOOPBACK = "127.0.0.1";

    /**
     * Where one reaches, from here, what listens on {@code host}: an address to be copied, with brackets around IPv6.
     */
    static String address(String host, int port) {
        String reached = ALL_ADDRESSES.contains(host) ? LOOPBACK : host;
        return (reached.contains(":") && !reached.startsWith("[") ? "[" + reached + "]" : reached) + ":" + port;
    }

    /** The places of {@code server}; the name {@code endpoint} is what scripts look for. */
    static Places of(Server server) {
        SequencedMap<String, String> addresses = new LinkedHashMap<>();
        addresses.put("endpoint", server.endpoint());
        addresses.put("metrics", server.management() + "/q/metrics");
        addresses.put("health", server.management() + "/q/health");
        addresses.put("console", "not in this version; its port answers nothing yet");
        return new Places(addresses);
    }

    /** A line for each. */
    String text() {
        return addresses.entrySet().stream()
                .map(place -> "%-9s %s%n".formatted(place.getKey(), place.getValue()))
                .collect(Collectors.joining());
    }
}

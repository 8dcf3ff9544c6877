package io.parex.discovery;

import io.netty.resolver.HostsFileEntriesProvider;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What {@code /etc/resolv.conf} and {@code /etc/hosts} say.
 *
 * @param servers the name servers, in the order to ask them; at least one
 * @param search the domains that a short name may belong to
 * @param ndots a name with fewer dots is tried with the search domains first
 * @param hosts4 IPv4 addresses by name in lower case, which need no server
 * @param hosts6 IPv6 addresses likewise
 */
record ResolverSetup(
        List<InetSocketAddress> servers,
        List<String> search,
        int ndots,
        Map<String, List<InetAddress>> hosts4,
        Map<String, List<InetAddress>> hosts6) {
    private static final int DNS_PORT = 53;
    /** The limits of the C library: more servers are ignored, and more dots count as so many. */
    private static final int MAX_SERVERS = 3;

    private static final int MAX_NDOTS = 15;
    private static final String NDOTS = "ndots:";

    ResolverSetup {
        servers = List.copyOf(servers);
        search = List.copyOf(search);
        hosts4 = Map.copyOf(hosts4);
        hosts6 = Map.copyOf(hosts6);
    }

    static ResolverSetup parse(String resolvConf, String hosts) {
        List<InetSocketAddress> servers = new ArrayList<>();
        List<String> search = List.of();
        int ndots = 1;
        for (String line : resolvConf.lines().toList()) {
            String[] words = line.strip().split("\\s+");
            List<String> values = List.of(words).subList(1, words.length);
            switch (words[0]) {
                case "nameserver" -> addServer(servers, values);
                // Of several such lines the last holds, and "domain" is a search list of one.
                case "search", "domain" ->
                    search = values.stream().map(ResolverSetup::bare).toList();
                case "options" -> ndots = ndots(values, ndots);
                default -> {}
            }
        }
        if (servers.isEmpty()) {
            // As the C library has it.
            servers.add(new InetSocketAddress(NetUtil.LOCALHOST4, DNS_PORT));
        }
        HostsFileEntriesProvider entries = parseHosts(hosts);
        return new ResolverSetup(servers, search, ndots, entries.ipv4Entries(), entries.ipv6Entries());
    }

    private static void addServer(List<InetSocketAddress> servers, List<String> values) {
        InetAddress address = values.isEmpty() ? null : NetUtil.createInetAddressFromIpAddressString(values.getFirst());
        if (address != null && servers.size() < MAX_SERVERS) {
            servers.add(new InetSocketAddress(address, DNS_PORT));
        }
    }

    private static int ndots(List<String> options, int otherwise) {
        int ndots = otherwise;
        for (String option : options) {
            if (option.matches(NDOTS + "[0-9]{1,4}")) {
                ndots = Math.min(MAX_NDOTS, Integer.parseInt(option.substring(NDOTS.length())));
            }
        }
        return ndots;
    }

    private static HostsFileEntriesProvider parseHosts(String hosts) {
        try {
            return HostsFileEntriesProvider.parser().parse(new StringReader(hosts));
        } catch (IOException e) {
            throw new UncheckedIOException("a string cannot fail to be read", e);
        }
    }

    /** What {@code /etc/hosts} has for {@code name}, {@code first} family first; empty if it has to be asked for. */
    List<InetAddress> hosts(String name, AddressFamily family, AddressFamily first) {
        String key = bare(name).toLowerCase(Locale.ROOT);
        List<InetAddress> four = family == AddressFamily.IPV6 ? List.of() : hosts4.getOrDefault(key, List.of());
        List<InetAddress> six = family == AddressFamily.IPV4 ? List.of() : hosts6.getOrDefault(key, List.of());
        return first == AddressFamily.IPV6 ? Answer.interleave(six, four) : Answer.interleave(four, six);
    }

    /** The full names that {@code name} may mean, in the order to ask for them. */
    List<String> candidates(String name) {
        if (name.endsWith(".")) {
            return List.of(name);
        }
        List<String> all = new ArrayList<>();
        for (String domain : search) {
            all.add(domain.isEmpty() ? name + "." : name + "." + domain + ".");
        }
        long dots = name.chars().filter(character -> character == '.').count();
        all.add(dots >= ndots ? 0 : all.size(), name + ".");
        return all.stream().distinct().toList();
    }

    private static String bare(String name) {
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }
}

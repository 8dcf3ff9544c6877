package io.parex.discovery;

import io.parex.ParexException;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Optional;

/**
 * Finds ranks by the names that a headless service gives the pods of a StatefulSet: rank 3 of StatefulSet {@code job}
 * is {@code job-3.<service>}. A short service name is completed from the search domains, as in any program of the pod.
 * A pod that comes back with another address is found there when the time to live of the old one has passed, 5 s at
 * most.
 */
public final class DnsDiscovery implements Discovery {
    private final NameResolver resolver;
    private final String set;
    private final String service;
    private final Ranks ranks;
    private final int port;

    private DnsDiscovery(NameResolver resolver, String set, String service, Ranks ranks, int port) {
        this.resolver = resolver;
        this.set = set;
        this.service = service;
        this.ranks = ranks;
        this.port = port;
    }

    /**
     * Ranks 0 to {@code worldSize - 1} behind one service.
     *
     * @param service {@code parex.service}: {@code job}, {@code job.ns.svc}, or all of {@code job.ns.svc.cluster.local}
     * @param statefulSet {@code parex.stateful-set}; if empty the hostname says it
     * @param hostname that of this pod
     * @param port the port on which all ranks listen
     */
    public static DnsDiscovery of(
            NameResolver resolver,
            String service,
            Optional<String> statefulSet,
            String hostname,
            int worldSize,
            int port) {
        String domain = service.strip();
        if (!Endpoint.isName(domain)) {
            throw ParexException.argument("parex.service: '" + service
                    + "' is not the name of a service, such as job or job.namespace.svc.cluster.local");
        }
        String set = statefulSet
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .or(() -> PodName.of(hostname).map(PodName::set))
                .orElseThrow(() -> ParexException.argument("the hostname '" + hostname
                        + "' does not end in -<ordinal> as that of a StatefulSet's pod does: set parex.stateful-set"));
        Ranks ranks = new Ranks(worldSize);
        DnsDiscovery discovery = new DnsDiscovery(resolver, set, domain, ranks, port);
        String longest = discovery.name(ranks.last());
        if (!Endpoint.isName(longest)) {
            throw ParexException.argument("parex.stateful-set '" + set + "' and parex.service '" + domain
                    + "' make no host name: " + longest);
        }
        return discovery;
    }

    private String name(int rank) {
        return set + "-" + rank + "." + service;
    }

    @Override
    public Uni<List<Endpoint>> resolve(int rank) {
        return ranks.check(rank)
                .chain(() -> resolver.resolve(name(rank)))
                .map(addresses -> addresses.stream()
                        .map(address -> Endpoint.of(address, port))
                        .toList());
    }

    @Override
    public String describe(int rank) {
        return name(rank) + ":" + port;
    }
}

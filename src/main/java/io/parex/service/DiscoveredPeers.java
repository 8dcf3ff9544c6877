package io.parex.service;

import io.parex.discovery.Discovery;
import io.parex.transport.tcp.PeerAddresses;
import io.smallrye.mutiny.Uni;
import java.net.InetSocketAddress;
import java.util.List;

/** The other ranks where discovery finds them. Any thread. */
record DiscoveredPeers(Discovery discovery) implements PeerAddresses {

    @Override
    public Uni<List<InetSocketAddress>> of(int rank) {
        // They are address literals: no name is looked up here.
        return discovery
                .resolve(rank)
                .map(endpoints -> endpoints.stream()
                        .map(endpoint -> new InetSocketAddress(endpoint.host(), endpoint.port()))
                        .toList());
    }

    @Override
    public String describe(int rank) {
        return discovery.describe(rank);
    }
}

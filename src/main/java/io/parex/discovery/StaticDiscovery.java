package io.parex.discovery;

import io.parex.ParexException;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds ranks in a list of {@code host:port}, in the order of the ranks. Names are looked up each time anew, so that a
 * host may change its address.
 */
public final class StaticDiscovery implements Discovery {
    private final NameResolver resolver;
    private final List<Endpoint> peers;
    private final Ranks ranks;

    private StaticDiscovery(NameResolver resolver, List<Endpoint> peers) {
        this.resolver = resolver;
        this.peers = List.copyOf(peers);
        this.ranks = new Ranks(peers.size());
    }

    /**
     * Ranks from {@code parex.peers}.
     *
     * @param peers such as {@code 10.0.0.1:7610,[fd00::2]:7610,trainer}; the port is 7610 where none is said
     */
    public static StaticDiscovery of(NameResolver resolver, String peers, int worldSize) {
        String[] entries = peers.isBlank() ? new String[0] : peers.split(",", -1);
        if (entries.length != worldSize) {
            throw ParexException.argument("parex.peers has " + entries.length + " entries for a world of " + worldSize
                    + " ranks: it lists host:port of every rank, in order");
        }
        List<Endpoint> endpoints = new ArrayList<>();
        for (String entry : entries) {
            endpoints.add(parse(entry.strip(), endpoints.size(), resolver.family()));
        }
        return new StaticDiscovery(resolver, endpoints);
    }

    private static Endpoint parse(String entry, int rank, AddressFamily family) {
        String place = "parex.peers: '" + entry + "' (rank " + rank + "): ";
        Endpoint endpoint;
        try {
            endpoint = Endpoint.parse(entry, DEFAULT_PORT);
        } catch (ParexException e) {
            throw ParexException.argument(place + e.getMessage());
        }
        endpoint.address().filter(address -> !family.admits(address)).ifPresent(address -> {
            throw ParexException.argument(place + "not an " + family.text() + " address, as parex.address-family="
                    + family.label() + " asks");
        });
        return endpoint;
    }

    @Override
    public Uni<List<Endpoint>> resolve(int rank) {
        return ranks.check(rank).chain(() -> resolve(peers.get(rank)));
    }

    private Uni<List<Endpoint>> resolve(Endpoint peer) {
        // As it is written: an address has no zone, which a link-local one cannot be dialled without.
        return peer.address().isPresent()
                ? Uni.createFrom().item(List.of(peer))
                : resolver.resolve(peer.host())
                        .map(addresses -> addresses.stream()
                                .map(address -> Endpoint.of(address, peer.port()))
                                .toList());
    }

    @Override
    public String describe(int rank) {
        return peers.get(rank).toString();
    }

    /** The entry of {@code rank} where no entry leaves this host; empty where the world may span several. */
    public Optional<Endpoint> loopbackPeer(int rank) {
        return peers.stream().allMatch(Endpoint::isLoopback) ? Optional.of(peers.get(rank)) : Optional.empty();
    }
}

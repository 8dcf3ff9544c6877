package io.parex.discovery;

import io.netty.util.NetUtil;
import io.parex.ParexException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * The address by which a rank is known to others, in what it tells them and in logs.
 *
 * @param reason why this one, such as "hostname job-3 resolves to it"
 */
public record AdvertisedAddress(Endpoint endpoint, String reason) {
    private static final String SETTING = "parex.advertise";

    /**
     * Chooses it: {@code parex.advertise} if set; the rank's entry in {@code parex.peers} if all of them are loopback
     * addresses; else an address of this host that is neither loopback nor link-local, of the family wanted, one to
     * which the hostname resolves before others.
     *
     * @param advertise {@code parex.advertise}: {@code host} or {@code host:port}, an IPv6 address alone without
     *     brackets too, as Kubernetes gives the address of a pod
     * @param loopbackPeer {@link StaticDiscovery#loopbackPeer}; empty where the world may span hosts
     * @param resolved what the hostname resolves to; empty if nothing
     * @param port the port on which this rank listens
     */
    public static AdvertisedAddress choose(
            Optional<String> advertise,
            Optional<Endpoint> loopbackPeer,
            LocalHost host,
            List<InetAddress> resolved,
            AddressFamily family,
            int port) {
        Optional<String> set = advertise.map(String::strip).filter(text -> !text.isEmpty());
        if (set.isPresent()) {
            return configured(set.get(), loopbackPeer.isEmpty(), family, port);
        }
        if (loopbackPeer.isPresent()) {
            String loopback = loopback(loopbackPeer.get(), family);
            return new AdvertisedAddress(new Endpoint(loopback, port), "all of parex.peers are on this host");
        }
        List<InetAddress> reachable = host.reachable(family);
        Optional<InetAddress> named =
                reachable.stream().filter(resolved::contains).findFirst();
        if (named.isPresent()) {
            return new AdvertisedAddress(
                    Endpoint.of(named.get(), port), "hostname " + host.hostname() + " resolves to it");
        }
        InetAddress first = reachable.stream().findFirst().orElseThrow(() -> unreachable(host, family));
        return new AdvertisedAddress(
                Endpoint.of(first, port),
                "the first " + family.text() + " address of this host that is not loopback or link-local");
    }

    private static AdvertisedAddress configured(String text, boolean spansHosts, AddressFamily family, int port) {
        Endpoint endpoint;
        try {
            endpoint = NetUtil.isValidIpV6Address(text) ? new Endpoint(text, port) : Endpoint.parse(text, port);
        } catch (ParexException e) {
            throw refused(text, e.getMessage());
        }
        if (spansHosts && endpoint.isLoopback()) {
            throw refused(text, "a loopback address, in a world that spans hosts: no other host can reach it");
        }
        endpoint.address().ifPresent(address -> {
            if (address.isAnyLocalAddress() || address.isMulticastAddress()) {
                throw refused(text, "not the address of one host: nobody can dial it");
            }
            if (!family.admits(address)) {
                String wanted = "parex.address-family=" + family.label();
                throw refused(text, "not an " + family.text() + " address, as " + wanted + " asks");
            }
        });
        return new AdvertisedAddress(endpoint, SETTING);
    }

    private static ParexException refused(String text, String why) {
        return ParexException.argument(SETTING + ": '" + text + "': " + why);
    }

    private static String loopback(Endpoint peer, AddressFamily family) {
        return peer.address().isPresent() ? peer.host() : family == AddressFamily.IPV6 ? "::1" : "127.0.0.1";
    }

    private static ParexException unreachable(LocalHost host, AddressFamily family) {
        List<String> all =
                host.addresses().stream().map(NetUtil::toAddressString).toList();
        return ParexException.argument("this host has no " + family.text()
                + " address that other hosts can reach, only " + all + ": set " + SETTING);
    }

    /** For the log: {@code 10.1.2.3:7610 (hostname job-3 resolves to it)}. */
    @Override
    public String toString() {
        return endpoint + " (" + reason + ")";
    }
}

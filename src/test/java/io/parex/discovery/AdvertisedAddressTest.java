package io.parex.discovery;

import static io.parex.discovery.Resolvers.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AdvertisedAddressTest {
    private static final Optional<Endpoint> SPANS_HOSTS = Optional.empty();
    private static final LocalHost POD = host("127.0.0.1", "::1", "172.17.0.1", "fe80::1", "10.1.2.3", "fd00::3");

    private static LocalHost host(String... literals) {
        return new LocalHost("job-3", addresses(literals));
    }

    private static List<InetAddress> addresses(String... literals) {
        return Stream.of(literals)
                .map(NetUtil::createInetAddressFromIpAddressString)
                .toList();
    }

    private static String configured(String text, Optional<Endpoint> peer, AddressFamily family) {
        return AdvertisedAddress.choose(Optional.of(text), peer, POD, List.of(), family, 7610)
                .toString();
    }

    private static String chosen(LocalHost host, AddressFamily family, String... resolved) {
        return AdvertisedAddress.choose(Optional.empty(), SPANS_HOSTS, host, addresses(resolved), family, 7610)
                .toString();
    }

    @Test
    void shouldTakeWhatIsSet() {
        assertEquals("10.9.9.9:7610 (parex.advertise)", configured("10.9.9.9", SPANS_HOSTS, AddressFamily.ANY));
        assertEquals("10.9.9.9:80 (parex.advertise)", configured("10.9.9.9:80", SPANS_HOSTS, AddressFamily.IPV4));
        assertEquals("[fd00::9]:7610 (parex.advertise)", configured("fd00::9", SPANS_HOSTS, AddressFamily.IPV6));
        assertEquals("[fd00::9]:80 (parex.advertise)", configured("[fd00::9]:80", SPANS_HOSTS, AddressFamily.ANY));
        assertEquals("trainer:7610 (parex.advertise)", configured("trainer", SPANS_HOSTS, AddressFamily.IPV6));
    }

    @Test
    void shouldRefuseToAdvertiseWhatNobodyCanDial() {
        for (String loopback : new String[] {"127.0.0.1", "::1", "localhost:80"}) {
            assertRefused(
                    "parex.advertise: '" + loopback + "': a loopback address, in a world that spans hosts",
                    () -> configured(loopback, SPANS_HOSTS, AddressFamily.ANY));
        }
        for (String nobody : new String[] {"0.0.0.0", "::", "224.0.0.1"}) {
            assertRefused("nobody can dial it", () -> configured(nobody, SPANS_HOSTS, AddressFamily.ANY));
        }
        assertRefused(
                "not an IPv6 address, as parex.address-family=ipv6 asks",
                () -> configured("10.0.0.1", SPANS_HOSTS, AddressFamily.IPV6));
        assertRefused(
                "parex.advertise: 'a:b': 'b' is not a port", () -> configured("a:b", SPANS_HOSTS, AddressFamily.ANY));
    }

    @Test
    void shouldPreferTheAddressOfTheHostname() {
        String named = "10.1.2.3:7610 (hostname job-3 resolves to it)";
        assertEquals(named, chosen(POD, AddressFamily.ANY, "127.0.1.1", "10.1.2.3", "203.0.113.1"));
        assertEquals(
                "[fd00::3]:7610 (hostname job-3 resolves to it)",
                chosen(POD, AddressFamily.IPV6, "10.1.2.3", "fd00::3"));
    }

    @Test
    void shouldElseTakeTheFirstThatOthersCanReach() {
        String why = " address of this host that is not loopback or link-local)";
        assertEquals("172.17.0.1:7610 (the first IP" + why, chosen(POD, AddressFamily.ANY, "127.0.1.1"));
        assertEquals("[fd00::3]:7610 (the first IPv6" + why, chosen(POD, AddressFamily.IPV6));
    }

    @Test
    void shouldNeverFallBackToLoopbackAcrossHosts() {
        assertRefused(
                "no IP address that other hosts can reach, only [127.0.0.1, fe80::1]: set parex.advertise",
                () -> chosen(host("127.0.0.1", "fe80::1"), AddressFamily.ANY, "127.0.0.1"));
        assertRefused("no IPv6 address", () -> chosen(host("10.0.0.1"), AddressFamily.IPV6));
    }

    @Test
    void shouldUseLoopbackWhereAllPeersDo() {
        Optional<Endpoint> six = Optional.of(new Endpoint("::1", 7611));
        assertEquals(
                "[::1]:7611 (all of parex.peers are on this host)",
                AdvertisedAddress.choose(Optional.empty(), six, POD, List.of(), AddressFamily.ANY, 7611)
                        .toString());
        Optional<Endpoint> name = Optional.of(new Endpoint("localhost", 7612));
        assertEquals(
                "127.0.0.1:7612 (all of parex.peers are on this host)",
                AdvertisedAddress.choose(Optional.of(" "), name, POD, List.of(), AddressFamily.ANY, 7612)
                        .toString());
        assertEquals("127.0.0.2:7610 (parex.advertise)", configured("127.0.0.2", name, AddressFamily.ANY));
    }

    @Test
    void shouldReadThisHost() {
        LocalHost here = LocalHost.read();
        assertFalse(here.hostname().isEmpty());
        assertFalse(here.addresses().isEmpty());
        assertEquals(AddressFamily.IPV6, host("127.0.0.1", "fd00::1").firstFamily());
        assertEquals(AddressFamily.IPV4, host("127.0.0.1", "::1").firstFamily());
        assertEquals(AddressFamily.IPV4, POD.firstFamily());
    }
}

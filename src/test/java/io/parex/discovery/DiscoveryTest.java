package io.parex.discovery;

import static io.parex.discovery.Resolvers.assertRefused;
import static io.parex.discovery.Resolvers.assertUnavailable;
import static io.parex.discovery.Resolvers.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ranks in a list and ranks behind a headless service. */
class DiscoveryTest {
    private static final Optional<String> FROM_HOSTNAME = Optional.empty();

    private Resolvers resolvers;
    private StubDns dns;
    private NameResolver resolver;

    @BeforeEach
    void open() {
        resolvers = new Resolvers();
        dns = new StubDns();
        resolver = resolvers.of(Resolvers.ANY, dns.address());
    }

    @AfterEach
    void close() throws IOException {
        dns.close();
        resolvers.close();
    }

    private DnsDiscovery behind(String service) {
        return DnsDiscovery.of(resolver, service, FROM_HOSTNAME, "job-0", 4, 7610);
    }

    private static String addresses(Discovery discovery, int rank) {
        return await(discovery.resolve(rank)).toString();
    }

    @Test
    void shouldReadAListInTheOrderOfRanks() {
        dns.answer("trainer.ns.svc.local", 60, "10.0.0.7");
        StaticDiscovery peers = StaticDiscovery.of(resolver, "10.0.0.1:80, [fd00::2] ,trainer:81,[fe80::1%eth0]", 4);
        assertEquals("[10.0.0.1:80]", addresses(peers, 0));
        assertEquals("[[fd00::2]:7610]", addresses(peers, 1));
        assertEquals("[10.0.0.7:81]", addresses(peers, 2));
        assertEquals("[[fe80::1%eth0]:7610]", addresses(peers, 3));
        assertEquals("[fd00::2]:7610", peers.describe(1));
        assertEquals("trainer:81", peers.describe(2));
        assertEquals(Optional.empty(), peers.loopbackPeer(0));
        assertRefused("there is no rank 4: the world has ranks 0 to 3", () -> addresses(peers, 4));
    }

    @Test
    void shouldKnowWhenAllPeersAreOnThisHost() {
        StaticDiscovery peers = StaticDiscovery.of(resolver, "127.0.0.1:1,[::1]:2,localhost:3", 3);
        assertEquals(Optional.of(new Endpoint("::1", 2)), peers.loopbackPeer(1));
    }

    @Test
    void shouldNameTheWrongEntryOfAList() {
        assertRefused("parex.peers has 2 entries for a world of 3 ranks", () -> StaticDiscovery.of(resolver, "a,b", 3));
        assertRefused("parex.peers has 0 entries", () -> StaticDiscovery.of(resolver, " ", 1));
        assertRefused("parex.peers: '' (rank 1): ", () -> StaticDiscovery.of(resolver, "a,,c", 3));
        assertRefused(
                "parex.peers: 'b:x' (rank 1): 'x' is not a port", () -> StaticDiscovery.of(resolver, "a,b:x,c", 3));
        assertRefused(
                "parex.peers: 'fd00::1' (rank 0): an IPv6 address goes in brackets",
                () -> StaticDiscovery.of(resolver, "fd00::1", 1));
        NameResolver sixOnly = resolvers.of(Resolvers.IPV6, dns.address());
        assertRefused(
                "parex.peers: '10.0.0.1' (rank 1): not an IPv6 address, as parex.address-family=ipv6 asks",
                () -> StaticDiscovery.of(sixOnly, "[::1],10.0.0.1", 2));
    }

    @Test
    void shouldFindThePodOfARank() {
        dns.answer("job-3.job.ns.svc.local", 60, "10.0.0.3").answer("job-3.job.ns.svc.local", 60, "fd00::3");
        DnsDiscovery pods = DnsDiscovery.of(
                resolvers.of(Resolvers.ANY.withGrace(Duration.ofSeconds(30)), dns.address()),
                "job",
                FROM_HOSTNAME,
                "job-0.job.ns.svc.local",
                4,
                7611);
        assertEquals("[10.0.0.3:7611, [fd00::3]:7611]", addresses(pods, 3));
        assertEquals("job-3.job:7611", pods.describe(3));
        assertRefused("there is no rank 4", () -> addresses(pods, 4));
        assertEquals(
                "[10.0.0.3:7610]",
                await(behind("job.ns.svc.local.").resolve(3)).subList(0, 1).toString());
    }

    @Test
    void shouldTakeTheNameOfTheStatefulSetFromItsSetting() {
        DnsDiscovery pods = DnsDiscovery.of(resolver, "workers.ns.svc", Optional.of("parex"), "node7", 4, 7610);
        assertEquals("parex-2.workers.ns.svc:7610", pods.describe(2));
    }

    @Test
    void shouldSayWhatIsWrongWithAService() {
        assertRefused("parex.service: 'job:7610' is not the name of a service", () -> behind("job:7610"));
        assertRefused("parex.service: '' is not", () -> behind(""));
        assertRefused(
                "the hostname 'node7' does not end in -<ordinal>",
                () -> DnsDiscovery.of(resolver, "job", FROM_HOSTNAME, "node7", 4, 7610));
        assertRefused(
                "parex.stateful-set 'a b' and parex.service 'job' make no host name",
                () -> DnsDiscovery.of(resolver, "job", Optional.of("a b"), "node7", 4, 7610));
    }

    @Test
    void shouldFindAPodThatStartsLateAndOneThatMoves() {
        DnsDiscovery pods = behind("job");
        assertUnavailable("name not found", () -> addresses(pods, 1));
        dns.answer("job-1.job.ns.svc.local", 5, "127.0.0.2");
        assertEquals("[127.0.0.2:7610]", addresses(pods, 1));
        dns.answer("job-1.job.ns.svc.local", 5, "127.0.0.3");
        resolvers.advance(Duration.ofSeconds(5));
        assertEquals(List.of(new Endpoint("127.0.0.3", 7610)), await(pods.resolve(1)));
    }

    @Test
    void shouldAskAnewOnEverySubscription() {
        DnsDiscovery pods = behind("job");
        var lookup = pods.resolve(2);
        assertUnavailable("name not found", () -> await(lookup));
        dns.answer("job-2.job.ns.svc.local", 5, "127.0.0.2");
        assertEquals("[127.0.0.2:7610]", await(lookup).toString());
    }

    @Test
    void shouldReadTheFamily() {
        assertEquals(AddressFamily.IPV6, AddressFamily.parse("IPv6"));
        assertRefused("'v4' is not an address family: ipv4, ipv6 or any", () -> AddressFamily.parse("v4"));
    }
}

package io.parex.discovery;

import static io.parex.discovery.Resolvers.ANY;
import static io.parex.discovery.Resolvers.IPV4;
import static io.parex.discovery.Resolvers.IPV6;
import static io.parex.discovery.Resolvers.assertUnavailable;
import static io.parex.discovery.Resolvers.await;
import static io.parex.discovery.Resolvers.literals;
import static io.parex.discovery.StubDns.A;
import static io.parex.discovery.StubDns.AAAA;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.parex.ParexException;
import io.parex.discovery.StubDns.Kind;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NameResolverTest {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String NAME = "job-3.job.ns.svc.local";

    private static Resolvers resolvers;
    private StubDns dns;

    @BeforeAll
    static void open() {
        resolvers = new Resolvers();
    }

    @AfterAll
    static void close() {
        resolvers.close();
    }

    @BeforeEach
    void serve() {
        dns = new StubDns();
    }

    @AfterEach
    void stop() throws IOException {
        dns.close();
    }

    private NameResolver resolver(ResolverOptions options) {
        return resolvers.of(options, dns.address());
    }

    @Test
    void shouldGiveBothFamiliesByTurns() {
        dns.answer(NAME, 60, "10.0.0.1", "10.0.0.2", "10.0.0.3").answer(NAME, 60, "fd00::1");
        // Neither answer is late here, however slow the machine.
        NameResolver resolver = resolver(ANY.withGrace(LONG));
        assertEquals(List.of("10.0.0.1", "fd00::1", "10.0.0.2", "10.0.0.3"), literals(resolver, NAME + "."));
        ResolverOptions sixFirst =
                ResolverOptions.of(AddressFamily.ANY, AddressFamily.IPV6).withGrace(LONG);
        assertEquals(List.of("fd00::1", "10.0.0.1", "10.0.0.2", "10.0.0.3"), literals(resolver(sixFirst), NAME + "."));
    }

    @Test
    void shouldNotWaitForAFamilyThatTheNameHasNot() {
        dns.answer("four", 60, "10.0.0.1").answer("six", 60, "fd00::1");
        // With such limits a wait would be seen.
        NameResolver resolver = resolver(ANY.withGrace(LONG).withQueryTimeout(LONG));
        assertEquals(List.of("10.0.0.1"), literals(resolver, "four."));
        assertEquals(List.of("fd00::1"), literals(resolver, "six."));
    }

    @Test
    void shouldNotWaitForAServerThatIsSilentAboutAFamily() {
        dns.answer("four", 60, "10.0.0.1").as("four", AAAA, Kind.SILENT);
        dns.answer("six", 60, "fd00::1").as("six", A, Kind.SILENT);
        NameResolver resolver = resolver(ANY.withQueryTimeout(LONG));
        assertEquals(List.of("10.0.0.1"), literals(resolver, "four."));
        assertEquals(List.of("fd00::1"), literals(resolver, "six."));
        assertEquals(Duration.ofMillis(50), ANY.grace());
    }

    @Test
    void shouldAskSoonAgainForTheFamilyThatWasLate() throws IOException {
        dns.answer(NAME, 60, "10.0.0.1").answer(NAME, 60, "fd00::1").as(NAME, AAAA, Kind.HELD);
        NameResolver resolver = resolver(ANY);
        assertEquals(List.of("10.0.0.1"), literals(resolver, NAME));
        dns.release();
        dns.as(NAME, A, Kind.ANSWER).as(NAME, AAAA, Kind.ANSWER);
        resolvers.advance(Duration.ofMillis(999));
        assertEquals(List.of("10.0.0.1"), literals(resolver, NAME));
        assertEquals(1, dns.asked(NAME, A));
        resolvers.advance(Duration.ofMillis(1));
        literals(resolver, NAME);
        assertEquals(2, dns.asked(NAME, A));
    }

    @Test
    void shouldAskOnlyForTheFamilyThatIsSet() {
        dns.answer(NAME, 60, "10.0.0.1").answer(NAME, 60, "fd00::1").answer("four", 60, "10.0.0.4");
        assertEquals(List.of("10.0.0.1"), literals(resolver(IPV4), NAME));
        assertEquals(0, dns.asked(NAME, AAAA));
        assertEquals(List.of("fd00::1"), literals(resolver(IPV6), NAME));
        assertUnavailable(
                "no address record (parex.address-family asks for IPv6 only)", () -> literals(resolver(IPV6), "four"));
    }

    @Test
    void shouldFindANameAsSoonAsItIsThere() {
        NameResolver resolver = resolver(ANY);
        for (int again = 0; again < 3; again++) {
            assertUnavailable("name not found", () -> literals(resolver, NAME));
        }
        dns.answer(NAME, 60, "10.0.0.1");
        assertEquals(List.of("10.0.0.1"), literals(resolver, NAME));
    }

    @Test
    void shouldSeeANewAddressWhenTheOldOneExpires() {
        dns.answer(NAME, 2, "127.0.0.1");
        NameResolver resolver = resolver(ANY);
        assertEquals(List.of("127.0.0.1"), literals(resolver, NAME));
        dns.answer(NAME, 2, "127.0.0.2");
        // Use does not prolong it.
        for (int again = 0; again < 4; again++) {
            assertEquals(List.of("127.0.0.1"), literals(resolver, NAME));
            resolvers.advance(Duration.ofMillis(500));
        }
        assertEquals(List.of("127.0.0.2"), literals(resolver, NAME));
        dns.forget(NAME);
        resolvers.advance(Duration.ofSeconds(2));
        assertUnavailable("name not found", () -> literals(resolver, NAME));
    }

    @Test
    void shouldKeepNothingLongerThanFiveSeconds() {
        dns.answer(NAME, 86_400, "127.0.0.1");
        NameResolver resolver = resolver(IPV4);
        literals(resolver, NAME);
        resolvers.advance(Duration.ofMillis(4_999));
        literals(resolver, NAME);
        assertEquals(1, dns.asked(NAME, A));
        resolvers.advance(Duration.ofMillis(1));
        literals(resolver, NAME);
        assertEquals(2, dns.asked(NAME, A));
    }

    @Test
    void shouldKeepNothingWithoutTimeToLive() {
        dns.answer(NAME, 0, "127.0.0.1");
        NameResolver resolver = resolver(IPV4);
        literals(resolver, NAME);
        literals(resolver, NAME);
        assertEquals(2, dns.asked(NAME, A));
    }

    @Test
    void shouldSayThatAServerRefuses() {
        dns.refuse("bad", A, StubDns.SERVFAIL).refuse("bad", AAAA, StubDns.SERVFAIL);
        assertUnavailable("refused by the name server (127.0.0.1:", () -> literals(resolver(ANY), "bad."));
        assertUnavailable("SERVFAIL", () -> literals(resolver(ANY), "bad."));
        dns.refuse("bad", A, StubDns.REFUSED);
        assertUnavailable("REFUSED", () -> literals(resolver(IPV4), "bad."));
    }

    @Test
    void shouldSayWhatWasAnsweredAboutEachNameOfTheSearchList() {
        // As in a cluster whose server has none behind it: the pod is not there, and of other names nothing is known.
        dns.refuse("job-3.job", A, StubDns.REFUSED).refuse("job-3.job", AAAA, StubDns.REFUSED);
        String server = "127.0.0.1:" + dns.address().getPort();
        assertFails(
                "name not found as " + NAME + "; refused by the name server (" + server + ": REFUSED(5)) as job-3.job",
                "job-3.job");
        dns.answer("four.ns.svc.local", 60, "10.0.0.4").refuse("four", AAAA, StubDns.SERVFAIL);
        assertUnavailable(
                "no address record (parex.address-family asks for IPv6 only) as four.ns.svc.local; refused by the"
                        + " name server (" + server + ": SERVFAIL(2)) as four",
                () -> literals(resolver(IPV6), "four"));
        dns.refuse(NAME, A, StubDns.SERVFAIL);
        assertUnavailable(": SERVFAIL(2)) as " + NAME, () -> literals(resolver(IPV4), "job-3.job"));
        assertFails("name not found", "job-4.job");
    }

    private void assertFails(String text, String name) {
        ParexException failure = assertThrows(ParexException.class, () -> literals(resolver(ANY), name));
        assertEquals(text, failure.getMessage());
    }

    @Test
    void shouldGiveTheAddressesOfOneFamilyWhereTheOtherIsRefused() {
        dns.answer(NAME, 60, "10.0.0.1").refuse(NAME, AAAA, StubDns.SERVFAIL);
        assertEquals(List.of("10.0.0.1"), literals(resolver(ANY.withGrace(LONG)), NAME));
    }

    @Test
    void shouldAskTwiceAndThenSayThatItTimedOut() {
        dns.as("quiet", A, Kind.SILENT).as("quiet", AAAA, Kind.SILENT);
        NameResolver resolver = resolver(ANY.withQueryTimeout(SHORT));
        assertUnavailable("timed out (no answer from 127.0.0.1:", () -> literals(resolver, "quiet."));
        assertEquals(2, dns.asked("quiet", A));
        assertEquals(2, dns.asked("quiet", AAAA));
    }

    @Test
    void shouldNotSearchOnPastAServerThatIsSilent() {
        dns.as(NAME, A, Kind.SILENT).answer("job-3.job", 60, "10.9.9.9");
        assertUnavailable(
                " within 200 ms) as " + NAME, () -> literals(resolver(IPV4.withQueryTimeout(SHORT)), "job-3.job"));
        assertEquals(0, dns.asked("job-3.job", A));
    }

    @Test
    void shouldIgnoreWhatIsNoAnswer() {
        dns.answer(NAME, 60, "10.0.0.1").as(NAME, A, Kind.GARBAGE_FIRST);
        dns.answer("wrong", 60, "10.0.0.2").as("wrong", A, Kind.GARBAGE);
        assertEquals(List.of("10.0.0.1"), literals(resolver(IPV4), NAME));
        assertUnavailable("timed out", () -> literals(resolver(IPV4.withQueryTimeout(SHORT)), "wrong."));
    }

    @Test
    void shouldAskOverTcpForWhatDoesNotFit() {
        dns.answer(NAME, 60, "10.0.0.1", "10.0.0.2").as(NAME, A, Kind.TRUNCATED);
        assertEquals(List.of("10.0.0.1", "10.0.0.2"), literals(resolver(IPV4), NAME));
    }

    @Test
    void shouldTurnToTheNextServerAndStayThere() {
        try (StubDns down = new StubDns()) {
            dns.answer(NAME, 0, "10.0.0.1");
            down.as(NAME, A, Kind.SILENT);
            NameResolver resolver =
                    resolvers.of(IPV4.withQueryTimeout(Duration.ofMillis(700)), down.address(), dns.address());
            for (int again = 0; again < 3; again++) {
                assertEquals(List.of("10.0.0.1"), literals(resolver, NAME));
            }
            assertEquals(1, down.asked(NAME, A));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldCompleteShortNames() {
        dns.answer(NAME, 60, "10.0.0.1");
        assertEquals(List.of("10.0.0.1"), literals(resolver(ANY), "job-3.job"));
        assertEquals(List.of(NAME), dns.names());
    }

    @Test
    void shouldSayThatANameExistsWithoutAddress() {
        dns.answer("four.ns.svc.local", 60, "10.0.0.4");
        assertUnavailable("no address record", () -> literals(resolver(IPV6), "four"));
        assertEquals(List.of("four.ns.svc.local", "four"), dns.names());
    }

    @Test
    void shouldReadTheHostsFileFirst() {
        ResolverSetup parsed = ResolverSetup.parse("", "127.0.0.1 localhost\n::1 localhost ip6-localhost\n");
        ResolverSetup setup = new ResolverSetup(List.of(dns.address()), List.of(), 1, parsed.hosts4(), parsed.hosts6());
        assertEquals(List.of("127.0.0.1", "::1"), literals(resolvers.of(ANY, setup), "LocalHost"));
        assertEquals(List.of("::1"), literals(resolvers.of(IPV6, setup), "localhost."));
        assertEquals(List.of(), dns.names());
    }

    @Test
    void shouldSayThatNoServerCanBeReached() {
        InetSocketAddress nowhere = new InetSocketAddress("255.255.255.255", 53);
        assertUnavailable("no way to the name server", () -> literals(resolvers.of(IPV4, nowhere), "a."));
    }

    @Test
    void shouldTakeLiteralsAsTheyAre() {
        assertEquals(List.of("fd00::1"), literals(resolver(ANY), "fd00::1"));
        assertEquals(List.of(), dns.names());
    }

    @Test
    void shouldAnswerWhereItWasAsked() throws Exception {
        dns.answer(NAME, 60, "10.0.0.1");
        NameResolver resolver = resolver(IPV4);
        Context asking = resolvers.vertx.getOrCreateContext();
        CompletableFuture<Context> answered = new CompletableFuture<>();
        asking.runOnContext(start -> resolver.resolve(NAME)
                .subscribe()
                .with(found -> answered.complete(Vertx.currentContext()), answered::completeExceptionally));
        assertSame(asking, answered.get(3, TimeUnit.SECONDS));
    }

    @Test
    void shouldReadTheFilesOfTheSystem() {
        LocalHost host = new LocalHost("host", List.<InetAddress>of());
        try (NameResolver resolver = NameResolver.start(AddressFamily.IPV4, host)) {
            assertEquals(List.of("127.0.0.1"), literals(resolver, "localhost"));
        }
        assertEquals(
                1,
                await(NameResolver.on(resolvers.vertx, AddressFamily.IPV4, host).resolve("localhost"))
                        .size());
    }
}

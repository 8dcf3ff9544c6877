package io.parex.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.util.NetUtil;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResolverSetupTest {
    /** As the kubelet writes it. */
    private static final String POD = """
            search ns.svc.cluster.local svc.cluster.local cluster.local
            nameserver 10.96.0.10
            options ndots:5
            """;

    private static List<String> servers(ResolverSetup setup) {
        return setup.servers().stream().map(NetUtil::toSocketAddressString).toList();
    }

    @Test
    void shouldReadWhatAPodHas() {
        ResolverSetup setup = ResolverSetup.parse(POD, "10.1.2.3 job-3.job.ns.svc.cluster.local job-3\n");
        assertEquals(List.of("10.96.0.10:53"), servers(setup));
        assertEquals(List.of("ns.svc.cluster.local", "svc.cluster.local", "cluster.local"), setup.search());
        assertEquals(5, setup.ndots());
        assertEquals(
                1, setup.hosts("JOB-3", AddressFamily.ANY, AddressFamily.IPV4).size());
        assertEquals(
                0, setup.hosts("job-3", AddressFamily.IPV6, AddressFamily.IPV4).size());
    }

    @Test
    void shouldTryTheSearchDomainsFirstForNamesWithFewDots() {
        ResolverSetup setup = ResolverSetup.parse(POD, "");
        assertEquals(
                List.of(
                        "job-3.job.ns.svc.cluster.local.",
                        "job-3.job.svc.cluster.local.",
                        "job-3.job.cluster.local.",
                        "job-3.job."),
                setup.candidates("job-3.job"));
        assertEquals(
                "job-3.job.ns.svc.cluster.local.",
                setup.candidates("job-3.job.ns.svc.cluster.local").getFirst());
        assertEquals(List.of("job-3.job."), setup.candidates("job-3.job."));
    }

    @Test
    void shouldReadWhatElseThereMayBe() {
        ResolverSetup setup = ResolverSetup.parse("""
                # comment
                ; comment
                nameserver
                nameserver nonsense
                nameserver fd00::a
                \tnameserver 10.0.0.1
                nameserver 10.0.0.2
                nameserver 10.0.0.3
                domain one.
                search two. .
                options rotate ndots:x ndots:99
                """, "");
        assertEquals(List.of("[fd00::a]:53", "10.0.0.1:53", "10.0.0.2:53"), servers(setup));
        assertEquals(List.of("two", ""), setup.search());
        assertEquals(15, setup.ndots());
        assertEquals(List.of("a.two.", "a."), setup.candidates("a"));
    }

    @Test
    void shouldHaveTheDefaultsOfTheCLibrary() {
        ResolverSetup setup = ResolverSetup.parse("", "");
        assertEquals(List.of("127.0.0.1:53"), servers(setup));
        assertEquals(1, setup.ndots());
        assertEquals(List.of("a."), setup.candidates("a"));
    }

    @Test
    void shouldDoWithoutTheFiles(@TempDir Path folder) throws Exception {
        try (Resolvers resolvers = new Resolvers()) {
            Path resolvConf = Files.writeString(folder.resolve("resolv.conf"), POD);
            SetupFiles files = new SetupFiles(
                    resolvers.vertx,
                    resolvConf.toString(),
                    folder.resolve("missing").toString());
            Future<ResolverSetup> read = files.get();
            ResolverSetup setup = read.toCompletionStage().toCompletableFuture().get(3, TimeUnit.SECONDS);
            assertEquals(List.of("10.96.0.10:53"), servers(setup));
        }
    }
}

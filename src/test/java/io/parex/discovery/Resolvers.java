package io.parex.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.util.NetUtil;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.function.Executable;

/** Resolvers that ask a {@link StubDns}, on a Vert.x of their own and with a clock that a test moves. */
final class Resolvers implements AutoCloseable {
    /** Far more than anything takes, unless it waits for what never comes. */
    static final Duration PATIENCE = Duration.ofSeconds(3);

    static final ResolverOptions ANY = ResolverOptions.of(AddressFamily.ANY, AddressFamily.IPV4);
    static final ResolverOptions IPV4 = ResolverOptions.of(AddressFamily.IPV4, AddressFamily.IPV4);
    static final ResolverOptions IPV6 = ResolverOptions.of(AddressFamily.IPV6, AddressFamily.IPV4);

    final Vertx vertx = Vertx.vertx();
    private final AtomicLong nowNanos = new AtomicLong(Long.MAX_VALUE - 1);

    NameResolver of(ResolverOptions options, InetSocketAddress... servers) {
        return of(options, new ResolverSetup(List.of(servers), List.of("ns.svc.local"), 5, Map.of(), Map.of()));
    }

    NameResolver of(ResolverOptions options, ResolverSetup setup) {
        return new NameResolver(vertx, () -> Future.succeededFuture(setup), options, nowNanos::get, () -> {});
    }

    void advance(Duration time) {
        nowNanos.addAndGet(time.toNanos());
    }

    static <T> T await(Uni<T> uni) {
        return uni.await().atMost(PATIENCE);
    }

    static List<String> literals(NameResolver resolver, String name) {
        return await(resolver.resolve(name)).stream()
                .map(NetUtil::toAddressString)
                .toList();
    }

    static void assertUnavailable(String text, Executable lookup) {
        assertFails(ErrorKind.UNAVAILABLE, text, lookup);
    }

    static void assertRefused(String text, Executable use) {
        assertFails(ErrorKind.ARGUMENT, text, use);
    }

    private static void assertFails(ErrorKind kind, String text, Executable use) {
        ParexException failure = assertThrows(ParexException.class, use);
        assertEquals(kind, failure.kind());
        assertTrue(failure.getMessage().contains(text), failure::getMessage);
    }

    @Override
    public void close() {
        vertx.close()
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }
}

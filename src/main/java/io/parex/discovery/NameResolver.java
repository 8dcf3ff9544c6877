package io.parex.discovery;

import io.netty.util.NetUtil;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Names to addresses. It follows the system's {@code resolv.conf} and {@code hosts}, and keeps an answer for its time
 * to live, 5 s at most. Any thread; all state belongs to one event loop.
 */
public final class NameResolver implements AutoCloseable {
    /** Ends what no other limit does, such as files that cannot be read. */
    private static final long LIMIT_SECONDS = 15;

    private final ContextInternal context;
    private final Runnable onClose;
    private final ResolverOptions options;
    // Event loop only.
    private final Supplier<Future<ResolverSetup>> setup;
    private final HostLookup lookup;
    private final AddressCache cache;
    private final LongSupplier nanoTime;

    NameResolver(
            Vertx vertx,
            Supplier<Future<ResolverSetup>> setup,
            ResolverOptions options,
            LongSupplier nanoTime,
            Runnable onClose) {
        this.context = ((VertxInternal) vertx).createEventLoopContext();
        this.onClose = onClose;
        this.options = options;
        this.setup = setup;
        this.lookup = new HostLookup(context, options);
        this.cache = new AddressCache(nanoTime);
        this.nanoTime = nanoTime;
    }

    /** A resolver on a loop of {@code vertx}, which has to outlive it. */
    public static NameResolver on(Vertx vertx, AddressFamily family, LocalHost host) {
        return system(vertx, family, host, () -> {});
    }

    /** A resolver with an event loop of its own, for whoever has no Vert.x at hand. */
    public static NameResolver start(AddressFamily family, LocalHost host) {
        Vertx vertx = Vertx.vertx(
                new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1).setInternalBlockingPoolSize(1));
        return system(vertx, family, host, vertx::close);
    }

    private static NameResolver system(Vertx vertx, AddressFamily family, LocalHost host, Runnable onClose) {
        SetupFiles files = new SetupFiles(vertx, "/etc/resolv.conf", "/etc/hosts");
        ResolverOptions options = ResolverOptions.of(family, host.firstFamily());
        return new NameResolver(vertx, files, options, System::nanoTime, onClose);
    }

    /** The addresses that this resolver gives. */
    public AddressFamily family() {
        return options.family();
    }

    /**
     * The addresses of a name or literal, in the order to try them; never empty. As {@link Discovery#resolve}: starts
     * on subscription, fails with kind {@code unavailable} and the cause in words.
     */
    public Uni<List<InetAddress>> resolve(String name) {
        InetAddress literal = NetUtil.createInetAddressFromIpAddressString(name);
        if (literal != null) {
            return Uni.createFrom().item(List.of(literal));
        }
        return Uni.createFrom().emitter(emitter -> {
            Context caller = Vertx.currentContext();
            Context target = caller == null ? context : caller;
            context.runOnContext(start -> find(name)
                    .onComplete(
                            addresses -> target.runOnContext(done -> emitter.complete(addresses)),
                            failure -> target.runOnContext(done -> emitter.fail(failure))));
        });
    }

    private Future<List<InetAddress>> find(String name) {
        List<InetAddress> cached = cache.get(name);
        if (!cached.isEmpty()) {
            return Future.succeededFuture(cached);
        }
        long askedNanos = nanoTime.getAsLong();
        return setup.get()
                .compose(current -> lookup.find(current, name))
                .timeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                .recover(failure -> failure instanceof TimeoutException
                        ? Future.succeededFuture(
                                Answer.without(Outcome.TIMED_OUT, "not done within " + LIMIT_SECONDS + " s"))
                        : Future.failedFuture(failure))
                .compose(answer -> {
                    cache.put(name, answer, askedNanos);
                    return answer.isFound()
                            ? Future.succeededFuture(answer.addresses())
                            : Future.failedFuture(answer.failure());
                });
    }

    /** Ends the event loop if it is its own. Lookups under way may never end then. Returns at once. */
    @Override
    public void close() {
        onClose.run();
    }
}

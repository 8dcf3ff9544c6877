package io.parex.transport.tcp;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.protocol.Life;
import io.parex.protocol.link.PeerLink;
import io.parex.protocol.wire.WireLimits;
import io.parex.tensor.BufferPool;
import io.parex.transport.Fabric;
import io.parex.transport.MutinySetup;
import io.parex.transport.Network;
import io.parex.transport.OwnerLoop;
import io.parex.transport.VertxLoop;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The ranks of one process in a world of several: joined to each other by reference, to the rest by TCP. All of them
 * live on one event loop, on which their sockets are read as well.
 */
public final class TcpFabric implements Fabric {
    private static final long START_SECONDS = 10;
    private static final long CLOSE_SECONDS = 10;
    private static final long FLUSH_NANOS = 2_000_000_000L;
    private static final long LOOK_NANOS = 2_000_000;

    /** For each pair of a rank here and a peer: what the peer may send unasked, and what a receive looks ahead. */
    private static final long ARRIVALS_PER_PEER = 16L << 20;

    static {
        MutinySetup.ensure();
    }

    private final TcpOptions options;
    private final Vertx vertx;
    private final Context context;
    private final OwnerLoop loop;
    private final BufferPool pool;
    private final BufferPool arrivals;
    private final Map<Integer, TcpPort> ports = new TreeMap<>();
    private final TcpListener listener;
    private final AtomicBoolean closed = new AtomicBoolean();

    private TcpFabric(TcpOptions options, List<Integer> hosted, PeerAddresses addresses) {
        this.options = options;
        vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setPreferNativeTransport(true));
        ContextInternal internal = ((VertxInternal) vertx).createEventLoopContext();
        context = internal;
        loop = new VertxLoop(internal.nettyEventLoop());
        pool = Fabric.newPool(options.poolBytes());
        arrivals = new BufferPool(ARRIVALS_PER_PEER * options.worldSize() * hosted.size());
        TcpDialler dialler = new TcpDialler(vertx, context, loop, options, addresses);
        SecureRandom random = new SecureRandom();
        List<Life> lives = hosted.stream()
                .map(rank -> new Life(rank, 1, random.nextLong()))
                .toList();
        for (int rank : hosted) {
            ports.put(rank, new TcpPort(rank, this, dialler, lives));
        }
        listener = new TcpListener(internal, options, ports);
    }

    /**
     * Listens; peers can connect when this returns.
     *
     * @param hosted the ranks of this process
     * @throws ParexException of kind {@code unavailable} if the port is taken or the address is not this host's
     */
    public static TcpFabric listen(TcpOptions options, List<Integer> hosted, PeerAddresses addresses) {
        TcpFabric fabric = new TcpFabric(options, hosted, addresses);
        try {
            fabric.onLoop(fabric.listener::listen).get(START_SECONDS, TimeUnit.SECONDS);
            return fabric;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fabric.close();
            throw new ParexException(ErrorKind.UNAVAILABLE, "interrupted while starting to listen", e);
        } catch (ExecutionException | TimeoutException e) {
            fabric.close();
            Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
            throw new ParexException(
                    ErrorKind.UNAVAILABLE,
                    "cannot listen for other ranks on " + Sockets.text(options.host(), options.port()) + ": "
                            + Sockets.reason(cause),
                    cause);
        }
    }

    /**
     * Says to others from now on where this process listens; before any rank takes part.
     *
     * @param address {@code host:port}; one that is too long to be told is not
     */
    public void advertise(String address) {
        if (address.getBytes(StandardCharsets.UTF_8).length > WireLimits.ADDRESS_BYTES) {
            return;
        }
        loop.execute(() -> ports.values()
                .forEach(
                        port -> ports.keySet().forEach(rank -> port.membership().locate(rank, address))));
    }

    private <T> CompletableFuture<T> onLoop(Supplier<io.vertx.core.Future<T>> task) {
        CompletableFuture<T> done = new CompletableFuture<>();
        context.runOnContext(any -> task.get().onComplete(result -> {
            if (result.succeeded()) {
                done.complete(result.result());
            } else {
                done.completeExceptionally(result.cause());
            }
        }));
        return done;
    }

    /** The port that is listened on. Any thread. */
    public int port() {
        return listener.port();
    }

    /** Connections over which a link has gone on after it had lost one before, since the start. Any thread. */
    public int resumes() {
        return ports.values().stream().mapToInt(TcpPort::resumes).sum();
    }

    /** Connections refused since the start, by the reasons of {@code ConnectionStats}. Any thread. */
    public Map<String, Long> refusedConnections() {
        return listener.refused();
    }

    @Override
    public Network network(int rank) {
        TcpPort port = ports.get(rank);
        if (port == null) {
            throw ParexException.argument("rank " + rank + " is not hosted here, but " + ports.keySet() + " are");
        }
        return port;
    }

    TcpOptions options() {
        return options;
    }

    OwnerLoop loop() {
        return loop;
    }

    BufferPool pool() {
        return pool;
    }

    BufferPool arrivals() {
        return arrivals;
    }

    /** The port of a rank that is hosted here, else null. */
    TcpPort port(int rank) {
        return ports.get(rank);
    }

    /**
     * Lets what the ranks said last reach their peers, at most 2 s, then ends the loop. Blocks for at most 22 s.
     * Idempotent.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        CompletableFuture<Void> flushed = new CompletableFuture<>();
        loop.execute(() -> whenFlushed(loop.nanoTime() + FLUSH_NANOS, flushed));
        await(flushed);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        loop.execute(() -> {
            cut();
            // The connections end in tasks that are behind this one.
            loop.execute(() -> ended.complete(null));
        });
        await(ended);
        await(vertx.close().toCompletionStage().toCompletableFuture());
        pool.close();
        arrivals.close();
    }

    /** Takes no connections any more, and ends all in the middle of what they carry. Owner loop only. */
    void cut() {
        listener.stop();
        ports.values().forEach(TcpPort::end);
    }

    /**
     * Completes {@code flushed} when the peers have all that was said to them, or at {@code untilNanos}. Owner loop
     * only.
     */
    void whenFlushed(long untilNanos, CompletableFuture<Void> flushed) {
        boolean all = ports.values().stream()
                .flatMap(port -> port.links().all().stream())
                .allMatch(PeerLink::isFlushed);
        if (all || loop.nanoTime() >= untilNanos) {
            flushed.complete(null);
        } else {
            loop.schedule(LOOK_NANOS, () -> whenFlushed(untilNanos, flushed));
        }
    }

    private static void await(CompletableFuture<Void> done) {
        try {
            done.get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            System.getLogger(TcpFabric.class.getName())
                    .log(System.Logger.Level.WARNING, "the links to other processes did not end", e);
        }
    }
}

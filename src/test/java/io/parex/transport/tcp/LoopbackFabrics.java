package io.parex.transport.tcp;

import io.parex.protocol.link.PeerLink;
import io.smallrye.mutiny.Uni;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/** A fabric for each rank of a world, as if each lived in a process of its own. */
public final class LoopbackFabrics implements AutoCloseable {
    private final int size;
    private final long poolBytes;
    private final IntFunction<String> hosts;
    private final List<TcpFabric> fabrics = new CopyOnWriteArrayList<>();
    private final List<FaultyProxy> proxies = new ArrayList<>();

    /** Fabrics for {@code size} ranks that listen on ports of their own. */
    public LoopbackFabrics(int size, long poolBytes) {
        this(size, poolBytes, rank -> "127.0.0.1");
        for (int rank = 0; rank < size; rank++) {
            fabrics.add(listen(rank));
        }
    }

    private LoopbackFabrics(int size, long poolBytes, IntFunction<String> hosts) {
        this.size = size;
        this.poolBytes = poolBytes;
        this.hosts = hosts;
    }

    /**
     * Fabrics of ranks on several hosts, which are addresses of the loopback interface, and say so.
     *
     * @param hosts of the ranks, such as {@code 127.0.0.2}
     */
    public static LoopbackFabrics onHosts(int size, long poolBytes, IntFunction<String> hosts) {
        LoopbackFabrics made = new LoopbackFabrics(size, poolBytes, hosts);
        for (int rank = 0; rank < size; rank++) {
            TcpFabric fabric = made.listen(rank);
            fabric.advertise(hosts.apply(rank) + ":" + fabric.port());
            made.fabrics.add(fabric);
        }
        return made;
    }

    private TcpFabric listen(int rank) {
        TcpOptions options = new TcpOptions(
                "test", size, hosts.apply(rank), 0, Duration.ofSeconds(30), Duration.ofSeconds(5), 0, poolBytes);
        return TcpFabric.listen(options, List.of(rank), addresses());
    }

    /**
     * Ends the fabric of a rank as {@code kill -9} ends a process: its connections are closed in the middle of what
     * they carry, nobody is told anything, nobody listens on its port any more. Its memory is given back all the same.
     */
    public void kill(int rank) {
        killOnce(rank, () -> true);
    }

    /** The same, as soon as a condition holds, within that turn of the rank's loop: nothing goes on in between. */
    public void killOnce(int rank, BooleanSupplier condition) {
        TcpFabric fabric = fabrics.get(rank);
        CompletableFuture<Void> cut = new CompletableFuture<>();
        cutOnce(fabric, rank, condition, cut);
        cut.orTimeout(20, TimeUnit.SECONDS).join();
        fabric.close();
    }

    private static void cutOnce(TcpFabric fabric, int rank, BooleanSupplier condition, CompletableFuture<Void> cut) {
        fabric.loop().execute(() -> {
            if (cut.isDone()) {
                return;
            }
            if (!condition.getAsBoolean()) {
                cutOnce(fabric, rank, condition, cut);
                return;
            }
            fabric.port(rank).receive(new Deaf());
            fabric.cut();
            cut.complete(null);
        });
    }

    /** Breaks all connections of a fabric, as a network that resets them does: nobody is told why. */
    public static void breakConnections(TcpFabric fabric, int rank) {
        CompletableFuture<Void> broken = new CompletableFuture<>();
        fabric.loop().execute(() -> {
            fabric.port(rank).links().all().forEach(LoopbackFabrics::breakConnection);
            broken.complete(null);
        });
        broken.orTimeout(20, TimeUnit.SECONDS).join();
    }

    private static void breakConnection(PeerLink link) {
        try {
            // Only sockets break connections; there is nothing in a link to ask for it.
            Field field = PeerLink.class.getDeclaredField("carrier");
            field.setAccessible(true);
            if (field.get(link) instanceof TcpCarrier carrier) {
                carrier.close();
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Another fabric of a rank, on another port, at which no peer looks for it. */
    public TcpFabric startAnother(int rank) {
        return listen(rank);
    }

    /** From now on peers look for a rank at that fabric of it. */
    public void moveTo(int rank, TcpFabric fabric) {
        fabrics.set(rank, fabric);
    }

    private PeerAddresses addresses() {
        return new PeerAddresses() {
            @Override
            public Uni<List<InetSocketAddress>> of(int rank) {
                return Uni.createFrom()
                        .item(() -> List.of(
                                proxies.isEmpty()
                                        ? direct(rank)
                                        : proxies.get(rank).address()));
            }

            @Override
            public String describe(int rank) {
                return "rank " + rank;
            }
        };
    }

    private InetSocketAddress direct(int rank) {
        return new InetSocketAddress(hosts.apply(rank), fabrics.get(rank).port());
    }

    /** From now on all connections to a rank go through a proxy of it. */
    public void connectThrough(long bitsPerSecond, int resets, long meanBytes, long seed) {
        AtomicInteger left = new AtomicInteger(resets);
        for (int rank = 0; rank < fabrics.size(); rank++) {
            proxies.add(new FaultyProxy(direct(rank), bitsPerSecond, left, meanBytes, seed + rank));
        }
    }

    /** Connections that proxies have reset. */
    public int resets() {
        return proxies.stream().mapToInt(FaultyProxy::resets).sum();
    }

    /** Connections, beyond the first of each link, that ranks have gone on over. */
    public int resumes() {
        return fabrics.stream().mapToInt(TcpFabric::resumes).sum();
    }

    /** The fabric of rank {@code rank}. */
    public TcpFabric fabric(int rank) {
        return fabrics.get(rank);
    }

    /** Waits until everything that was sent has arrived. */
    public void settle() {
        for (int pass = 0; pass < 2; pass++) {
            for (TcpFabric fabric : fabrics) {
                CompletableFuture<Void> flushed = new CompletableFuture<>();
                fabric.loop().execute(() -> fabric.whenFlushed(Long.MAX_VALUE, flushed));
                flushed.orTimeout(20, TimeUnit.SECONDS).join();
            }
        }
    }

    @Override
    public void close() {
        fabrics.forEach(TcpFabric::close);
        proxies.forEach(FaultyProxy::close);
    }
}

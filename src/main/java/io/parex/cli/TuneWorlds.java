package io.parex.cli;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.discovery.Endpoint;
import io.parex.transport.tcp.PeerList;
import io.parex.transport.tcp.TcpFabric;
import io.parex.transport.tcp.TcpOptions;
import io.parex.world.LocalWorld;
import io.parex.world.WorldOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Worlds whose links are measured. */
final class TuneWorlds {
    private static final String LOOPBACK = "127.0.0.1";
    private static final Duration START = Duration.ofMinutes(5);

    /** For a rank itself to say at the start timeout whom it misses. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    private static final Duration PEER = Duration.ofSeconds(30);
    private static final WorldOptions OPTIONS =
            WorldOptions.DEFAULT.withName("tune").withStartTimeout(START);

    private TuneWorlds() {}

    /** All ranks in this process, joined by reference. */
    static List<LocalWorld> memory(int size) {
        return List.of(LocalWorld.start(size, OPTIONS));
    }

    /** All ranks in this process, each with a loop of its own, joined by TCP. */
    static List<LocalWorld> loopback(int size) {
        PeerList peers = new PeerList();
        List<TcpFabric> fabrics = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            fabrics.add(listen(LOOPBACK, 0, rank, size, peers));
        }
        peers.set(fabrics.stream()
                .map(fabric -> new InetSocketAddress(InetAddress.ofLiteral(LOOPBACK), fabric.port()))
                .toList());
        List<LocalWorld> worlds = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            worlds.add(LocalWorld.join(fabrics.get(rank), List.of(rank), size, OPTIONS));
        }
        return joined(worlds);
    }

    /** One rank in this process, the others at other addresses. */
    static List<LocalWorld> network(List<Endpoint> addresses, int rank) {
        PeerList peers = new PeerList();
        peers.set(addresses.stream().map(TuneWorlds::resolved).toList());
        int size = addresses.size();
        InetSocketAddress own = resolved(addresses.get(rank));
        TcpFabric fabric = listen(own.getAddress().getHostAddress(), own.getPort(), rank, size, peers);
        return joined(List.of(LocalWorld.join(fabric, List.of(rank), size, OPTIONS)));
    }

    private static InetSocketAddress resolved(Endpoint endpoint) {
        try {
            return new InetSocketAddress(InetAddress.getByName(endpoint.host()), endpoint.port());
        } catch (UnknownHostException e) {
            throw new ParexException(ErrorKind.UNAVAILABLE, "there is no host " + endpoint.host(), e);
        }
    }

    private static TcpFabric listen(String host, int port, int rank, int size, PeerList peers) {
        long costs = OPTIONS.choice().costs().fingerprint();
        TcpOptions options =
                new TcpOptions(OPTIONS.name(), size, host, port, START, PEER, costs, OPTIONS.copyPoolBytes());
        return TcpFabric.listen(options, List.of(rank), peers);
    }

    private static List<LocalWorld> joined(List<LocalWorld> worlds) {
        try {
            for (LocalWorld world : worlds) {
                world.ranks().getFirst().joined().await().atMost(START.plus(LAST_WORDS));
            }
            return worlds;
        } catch (RuntimeException e) {
            worlds.forEach(LocalWorld::close);
            throw e;
        }
    }
}

package io.parex.cli;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.bench.Rendezvous;
import io.parex.planner.CostTable;
import io.parex.planner.LinkKind;
import io.parex.transport.tcp.PeerList;
import io.parex.transport.tcp.TcpFabric;
import io.parex.transport.tcp.TcpOptions;
import io.parex.world.LocalWorld;
import io.parex.world.WorldOptions;
import io.smallrye.mutiny.TimeoutException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** Ranks on one host: TCP on 127.0.0.1, on any ports that are free. */
final class LoopbackRendezvous implements Rendezvous {
    private static final String HOST = "127.0.0.1";

    /** For all members listen when they are told to join. */
    private static final Duration START = Duration.ofSeconds(60);

    private static final Duration PEER = Duration.ofSeconds(5);

    /** For the rank itself to say at the start timeout whom it misses. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    private final PeerList peers = new PeerList();
    private int rank;
    private int ranks;
    private WorldOptions options;
    private TcpFabric fabric;

    @Override
    public int listen(int own, int size, WorldOptions settings) {
        rank = own;
        ranks = size;
        options =
                settings.withStartTimeout(START).withCosts(CostTable.standard().of(LinkKind.LOOPBACK));
        TcpOptions tcp = new TcpOptions(
                options.name(),
                ranks,
                HOST,
                0,
                START,
                PEER,
                options.choice().costs().fingerprint(),
                options.copyPoolBytes());
        fabric = TcpFabric.listen(tcp, List.of(rank), peers);
        return fabric.port();
    }

    @Override
    public LocalWorld join(List<Integer> ports) {
        InetAddress loopback = InetAddress.ofLiteral(HOST);
        peers.set(ports.stream()
                .map(port -> new InetSocketAddress(loopback, port))
                .toList());
        LocalWorld world = LocalWorld.join(fabric, List.of(rank), ranks, options);
        try {
            world.rank(rank).joined().await().atMost(START.plus(LAST_WORDS));
            return world;
        } catch (TimeoutException e) {
            throw new ParexException(ErrorKind.UNAVAILABLE, "rank " + rank + " has not joined the others", e);
        }
    }

    @Override
    public void close() {
        if (fabric != null) {
            fabric.close();
        }
    }
}

package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.planner.CostTable;
import io.parex.planner.LinkCosts;
import io.parex.planner.LinkKind;
import io.parex.transport.tcp.PeerList;
import io.parex.transport.tcp.TcpFabric;
import io.parex.transport.tcp.TcpOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Ranks that would choose algorithms differently do not meet. */
class CostsDifferTest {
    private static final LinkCosts ONE = CostTable.standard().of(LinkKind.NETWORK);
    private static final LinkCosts ANOTHER = CostTable.standard()
            .with(new LinkCosts(LinkKind.NETWORK, 1, 1, 1, 1, 0, 0))
            .of(LinkKind.NETWORK);

    private final PeerList peers = new PeerList();

    private TcpFabric fabric(int rank, LinkCosts costs) {
        Duration start = Duration.ofSeconds(30);
        TcpOptions options =
                new TcpOptions("costs", 2, "127.0.0.1", 0, start, Duration.ofSeconds(5), costs.fingerprint(), 1 << 20);
        return TcpFabric.listen(options, List.of(rank), peers);
    }

    private LocalWorld join(TcpFabric fabric, int rank, LinkCosts costs) {
        return LocalWorld.join(fabric, List.of(rank), 2, WorldOptions.DEFAULT.withCosts(costs));
    }

    @Test
    void shouldRefuseARankWithOtherCosts() {
        TcpFabric zero = fabric(0, ONE);
        TcpFabric one = fabric(1, ANOTHER);
        meet(zero, one);
        try (LocalWorld _ = join(zero, 0, ONE);
                LocalWorld second = join(one, 1, ANOTHER)) {
            Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> refused(zero) + refused(one) > 0);
            assertTrue(second.rank(1).missing().contains(0), "they have met all the same");
        }
    }

    @Test
    void shouldTakeARankWithTheSameCosts() {
        TcpFabric zero = fabric(0, ANOTHER);
        TcpFabric one = fabric(1, ANOTHER);
        meet(zero, one);
        try (LocalWorld first = join(zero, 0, ANOTHER);
                LocalWorld second = join(one, 1, ANOTHER)) {
            first.rank(0).joined().await().atMost(Duration.ofSeconds(20));
            second.rank(1).joined().await().atMost(Duration.ofSeconds(20));
        }
    }

    private void meet(TcpFabric zero, TcpFabric one) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        peers.set(List.of(new InetSocketAddress(loopback, zero.port()), new InetSocketAddress(loopback, one.port())));
    }

    private static long refused(TcpFabric fabric) {
        return fabric.refusedConnections().getOrDefault("costs", 0L);
    }
}

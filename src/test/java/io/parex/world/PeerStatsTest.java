package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.transport.tcp.LoopbackFabrics;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a rank says of its connections to ranks of other processes. */
@Timeout(60)
class PeerStatsTest {
    private static final long POOL_BYTES = 16 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void shouldShowAConnectionNotBeforeItIsThere() {
        try (LoopbackFabrics fabrics = new LoopbackFabrics(2, POOL_BYTES);
                LocalWorld first = join(fabrics, 0)) {
            // It looks for its neighbour as soon as it starts.
            Awaitility.await().atMost(PATIENCE).until(() -> !peers(first).isEmpty());
            assertEquals(List.of(new PeerStats(1, false, 0, 0, 0)), peers(first));
            try (LocalWorld second = join(fabrics, 1)) {
                second.rank(1).joined().await().atMost(PATIENCE);
                assertEquals(
                        List.of(new PeerStats(0, true, 0, 0, 0)), second.rank(1).peers());
            }
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> !peers(first).getFirst().connected());
        }
    }

    private static List<PeerStats> peers(LocalWorld world) {
        return world.ranks().getFirst().peers();
    }

    private static LocalWorld join(LoopbackFabrics fabrics, int rank) {
        return LocalWorld.join(fabrics.fabric(rank), List.of(rank), 2, WorldOptions.DEFAULT.withName("test"));
    }
}

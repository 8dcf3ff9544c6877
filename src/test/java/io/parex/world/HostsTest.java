package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.planner.CostTable;
import io.parex.planner.LinkKind;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.transport.tcp.LoopbackFabrics;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ranks on several hosts, of which each has several: all know who is where, and algorithms look at it. */
class HostsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int SIZE = 6;

    /** Ranks 0, 2 and 4 are on one host, 1 and 5 on another, 3 alone. */
    private static final List<String> HOSTS =
            List.of("127.0.0.2", "127.0.0.3", "127.0.0.2", "127.0.0.4", "127.0.0.2", "127.0.0.3");

    private final Set<String> algorithms = ConcurrentHashMap.newKeySet();
    private List<LocalWorld> parts;
    private List<World> worlds;

    @BeforeEach
    void start() {
        WorldOptions options = WorldOptions.DEFAULT
                .withCallTimeout(LONG)
                .withCosts(CostTable.standard().of(LinkKind.NETWORK));
        LoopbackFabrics fabrics = LoopbackFabrics.onHosts(SIZE, options.copyPoolBytes(), HOSTS::get);
        parts = IntStream.range(0, SIZE)
                .mapToObj(rank -> LocalWorld.join(fabrics.fabric(rank), List.of(rank), SIZE, options))
                .toList();
        worlds = parts.stream().map(part -> part.ranks().getFirst()).toList();
        worlds.forEach(world -> world.joined().await().atMost(LONG));
        worlds.forEach(world -> world.observe(record -> algorithms.add(record.algorithm())));
    }

    @AfterEach
    void stop() {
        worlds.forEach(World::leave);
        parts.forEach(LocalWorld::close);
        for (World world : worlds) {
            assertEquals(0, world.scratchBytes(), "scratch held by rank " + world.rank());
        }
    }

    private static void sum(List<ProcessGroup> groups, int count, CallOptions options) {
        List<TensorView> tensors = groups.stream()
                .map(group -> Tensors.filled(DataType.INT32, count, i -> i + group.rank()))
                .toList();
        all(
                groups,
                group -> group.allReduce(tensors.get(group.rank()), tensors.get(group.rank()), ReduceOp.SUM, options));
        int n = groups.size();
        TensorView expected = Tensors.filled(DataType.INT32, count, i -> n * (double) i + n * (n - 1) / 2.0);
        tensors.forEach(tensor -> Tensors.assertSame(expected, tensor, "sum of " + count));
    }

    private static void all(List<ProcessGroup> groups, Function<ProcessGroup, Work> call) {
        List<Work> works = groups.stream().map(call).toList();
        works.forEach(Work::await);
    }

    private List<ProcessGroup> everybody() {
        return worlds.stream().map(World::group).toList();
    }

    @Test
    void shouldReduceWithinHostsFirst() {
        CallOptions options = CallOptions.DEFAULT.withAlgorithm("hierarchical");
        for (int count : new int[] {0, 1, 5, 6, 1000, 300_001}) {
            sum(everybody(), count, options);
        }
        assertEquals(Set.of("hierarchical"), algorithms);
        // A tensor less one share between hosts, both ways, for a host's leaders together.
        long sent = toOtherHosts(0) + toOtherHosts(2) + toOtherHosts(4);
        long bytes = 4L * (1 + 5 + 6 + 1000 + 300_001);
        assertEquals(2.0 * 2 / 3 * bytes, sent, 0.01 * bytes);
    }

    private long toOtherHosts(int rank) {
        return worlds.get(rank).peers().stream()
                .filter(peer -> !HOSTS.get(peer.peer()).equals(HOSTS.get(rank)))
                .mapToLong(PeerStats::bytesOut)
                .sum();
    }

    @Test
    void shouldBroadcastOnceToEachHost() {
        TensorView given = Tensors.pattern(900_000, 7);
        for (int root : new int[] {0, 3, 4}) {
            List<TensorView> tensors = worlds.stream()
                    .map(world -> world.rank() == root ? given : Tensors.zeros(DataType.UINT8, 900_000))
                    .toList();
            all(
                    everybody(),
                    group -> group.broadcast(
                            tensors.get(group.rank()), root, CallOptions.DEFAULT.withAlgorithm("hierarchical")));
            tensors.forEach(tensor -> Tensors.assertSame(given, tensor, "broadcast"));
        }
        long sent = IntStream.range(0, SIZE).mapToLong(this::toOtherHosts).sum();
        assertEquals(3 * 2 * 900_000L, sent, "each of three calls comes to two other hosts");
    }

    /** Groups know the hosts of their members. */
    @Test
    void shouldLookAtTheHostsOfAGroup() {
        List<Integer> members = List.of(5, 4, 1, 0);
        List<ProcessGroup> groups = members.stream()
                .map(rank -> worlds.get(rank).newGroup("four", members).await().atMost(LONG))
                .toList();
        sum(groups, 100_000, CallOptions.DEFAULT.withAlgorithm("hierarchical"));
        long sent = toOtherHosts(0) + toOtherHosts(4);
        assertEquals(400_000, sent, 4000);
    }

    /** Whatever is chosen is chosen by all. */
    @Test
    void shouldChooseAlike() {
        for (int count : new int[] {1, 1000, 100_000, 3_000_000}) {
            sum(everybody(), count, CallOptions.DEFAULT);
        }
        assertTrue(algorithms.size() > 1, algorithms.toString());
    }
}

package io.parex.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.world.CallOptions;
import io.parex.world.LocalWorld;
import io.parex.world.PointToPoint;
import io.parex.world.ProcessGroup;
import io.parex.world.Work;
import io.parex.world.WorldOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a scrape shows of a real world of two ranks. */
@Timeout(120)
class WorldMetersTest {
    private static final Map<String, String> RANK_0 = Map.of("rank", "0");
    private static final int MAX_COUNT = 300_000;

    private final Pod pod = new Pod();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment[] inputs = {floats(), floats()};
    private final MemorySegment[] outputs = {floats(), floats()};
    private LocalWorld world;

    @BeforeEach
    void startWorld() {
        world = LocalWorld.start(2, WorldOptions.DEFAULT);
        world.ranks().forEach(rank -> WorldMeters.bind(rank, pod.registry()));
    }

    @AfterEach
    void closeWorld() {
        world.close();
        arena.close();
    }

    @Test
    void shouldCountAnAllReduce() {
        allReduce(1000, CallOptions.DEFAULT.withAlgorithm("ring"));
        Scrape scrape = Scrape.of(pod);
        Map<String, String> ok = Map.of("primitive", "all_reduce", "outcome", "ok", "rank", "1");
        assertEquals(1, scrape.sum("parex_operations_total", with(ok, "algorithm", "ring")));
        assertEquals(1, scrape.sum("parex_operation_duration_seconds_count", with(ok, "size_class", "64KiB")));
        Map<String, String> allReduce = Map.of("primitive", "all_reduce", "rank", "1");
        assertEquals(4000, scrape.sum("parex_operation_bytes_total", allReduce));
        assertEquals(4000, scrape.sum("parex_operation_bus_bytes_total", with(allReduce, "size_class", "64KiB")));
        assertEquals(1, scrape.sum("parex_operation_wait_seconds_count", allReduce));
        assertEquals(1, scrape.sum("parex_peer_connected", Map.of("rank", "0", "peer", "1")));
        // A ring of two sends each half once to be reduced and once as a result.
        for (String direction : List.of("in", "out")) {
            Map<String, String> peer = Map.of("rank", "0", "peer", "1", "direction", direction);
            assertEquals(4000, scrape.sum("parex_peer_bytes_total", peer));
        }
    }

    @Test
    void shouldShowOperationsInFlight() {
        Work early = world.rank(0).group().barrier(CallOptions.DEFAULT);
        assertEquals(1, Scrape.of(pod).sum("parex_operations_in_flight", RANK_0));
        world.rank(1).group().barrier(CallOptions.DEFAULT).await();
        early.await();
        assertEquals(0, Scrape.of(pod).sum("parex_operations_in_flight", RANK_0));
    }

    @Test
    void shouldCountFailuresByKindAndNoBytesOfThem() {
        CallOptions brief = CallOptions.DEFAULT.withTimeout(Duration.ofMillis(20));
        Work lonely = world.rank(0).group().irecv(view(outputs[0], 10), 1, 7, brief);
        assertThrows(ParexException.class, lonely::await);
        Scrape scrape = Scrape.of(pod);
        Map<String, String> failed = Map.of("primitive", "irecv", "outcome", "timeout", "algorithm", "direct");
        assertEquals(1, scrape.sum("parex_operations_total", failed));
        assertEquals(0, scrape.sum("parex_operations_total", with(failed, "outcome", "ok")));
        assertEquals(0, scrape.sum("parex_operation_bytes_total", Map.of("primitive", "irecv")));
    }

    @Test
    void shouldScrapeTheNamesAndLabelsOfTheTable() {
        allReduce(10, CallOptions.DEFAULT);
        Map<String, Set<String>> scraped = Scrape.of(pod).labelKeys();
        Set<String> expected = new TreeSet<>();
        for (MeterNames name : MeterNames.values()) {
            for (String suffix :
                    name.scraped().endsWith("_seconds") ? List.of("_count", "_sum", "_max") : List.of("")) {
                expected.add(name.scraped() + suffix);
                assertEquals(Set.copyOf(name.labels()), scraped.get(name.scraped() + suffix));
            }
            if (name.scraped().endsWith("_seconds")) {
                expected.add(name.scraped() + "_bucket");
            }
        }
        assertEquals(expected, scraped.keySet());
    }

    /** Case C119. */
    @Test
    void shouldNotGrowWithTheCallsMade() {
        long seed = 119;
        Random random = new Random(seed);
        makeCalls(100, random);
        List<String> after100 = Scrape.of(pod).series();
        makeCalls(10_000, random);
        assertEquals(after100, Scrape.of(pod).series(), () -> "seed " + seed);
    }

    private void makeCalls(int calls, Random random) {
        for (int call = 0; call < calls; call++) {
            int count = random.nextInt(10) == 0 ? random.nextInt(MAX_COUNT) : random.nextInt(3000);
            CallOptions options = CallOptions.DEFAULT.withName("layer-" + random.nextInt());
            switch (call % 4) {
                case 0 -> allReduce(count, options.withAlgorithm(call % 8 == 0 ? "ring" : "recursive_doubling"));
                case 1 ->
                    onBoth(rank -> group(rank).broadcast(view(inputs[rank], count), 1, options.withAlgorithm("chain")));
                case 2 -> onBoth(rank -> group(rank).barrier(options));
                default -> {
                    int tag = random.nextInt(1 << 20);
                    PointToPoint[] sends = {
                        PointToPoint.send(view(inputs[0], count), 1, tag),
                        PointToPoint.send(view(inputs[1], count), 0, tag)
                    };
                    onBoth(rank -> group(rank)
                            .sendRecv(
                                    sends[rank],
                                    PointToPoint.recv(view(outputs[rank], count), 1 - rank, tag),
                                    options));
                }
            }
        }
    }

    private ProcessGroup group(int rank) {
        return world.rank(rank).group();
    }

    private void allReduce(int count, CallOptions options) {
        onBoth(rank ->
                group(rank).allReduce(view(inputs[rank], count), view(outputs[rank], count), ReduceOp.SUM, options));
    }

    private void onBoth(IntFunction<Work> call) {
        Work[] works = IntStream.range(0, 2).mapToObj(call).toArray(Work[]::new);
        Arrays.stream(works).forEach(Work::await);
    }

    private MemorySegment floats() {
        return arena.allocate((long) MAX_COUNT * Float.BYTES, 64);
    }

    private static TensorView view(MemorySegment memory, int count) {
        return new TensorView(memory.asSlice(0, (long) count * Float.BYTES), DataType.FLOAT32, count);
    }

    private static Map<String, String> with(Map<String, String> labels, String key, String value) {
        Map<String, String> more = new java.util.HashMap<>(labels);
        more.put(key, value);
        return more;
    }
}

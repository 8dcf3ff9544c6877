package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** C62 and D31: groups that are created, used and closed, a thousand times. */
@Tag("slow")
class GroupGrowthTest {
    private static final List<Integer> MEMBERS = List.of(1, 0);
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** A thousandth of it for each group: less than anything that one would keep. */
    private static final long HEAP_TOLERANCE = 1_000_000;

    private record Use(long descriptors, int threads, long heap) {
        static Use now() {
            // Twice: what the first lets go of may hold more.
            System.gc();
            System.gc();
            try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
                return new Use(
                        open.count(),
                        ManagementFactory.getThreadMXBean().getThreadCount(),
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static void createUseAndClose(List<World> worlds, String name) {
        List<ProcessGroup> groups = MEMBERS.stream()
                .map(rank -> worlds.get(rank).newGroup(name, MEMBERS).await().atMost(LIMIT))
                .toList();
        List<TensorView> tensors = List.of(Tensors.ints(1), Tensors.ints(2));
        List<Work> works = Stream.of(0, 1)
                .map(member -> groups.get(member)
                        .allReduce(tensors.get(member), tensors.get(member), ReduceOp.SUM, CallOptions.DEFAULT))
                .toList();
        works.forEach(Work::await);
        Tensors.assertSame(Tensors.ints(3), tensors.getFirst(), name);
        groups.forEach(group -> group.close().await().atMost(LIMIT));
    }

    @Test
    void shouldNotGrow() {
        try (Harness world = Harness.Factory.TCP.start(2)) {
            List<World> worlds = world.worlds();
            // Also what is kept of the last thousand for frames that come late.
            for (int round = 0; round < 1200; round++) {
                createUseAndClose(worlds, "warm-up");
            }
            Use before = Use.now();
            for (int round = 0; round < 1000; round++) {
                createUseAndClose(worlds, "group");
            }
            Use after = Use.now();
            assertEquals(before.descriptors(), after.descriptors(), "open descriptors");
            assertTrue(after.threads() <= before.threads(), before + " " + after);
            assertTrue(after.heap() - before.heap() < HEAP_TOLERANCE, before + " " + after);
            assertEquals(1, worlds.getFirst().groups().size());
            assertEquals(0, worlds.getFirst().scratchBytes());
        }
    }
}

package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code parex bench} with each rank in a process of its own, which is its default. */
@Timeout(300)
class BenchIT {
    private static final String[] SHORT = {"--warmup=0", "--iterations=4", "--rounds=1", "--timeout=60", "--json"};

    /** On the command line of the members as well, so that they are told from those of others. */
    private final String mark = "-Dbench.it=" + UUID.randomUUID();

    @TempDir
    private Path folder;

    @Test
    void shouldMeasureEveryPrimitiveAndSize() throws Exception {
        List<JsonObject> points =
                measured("-n=2", "--primitive=all", "--caller=both", "--root=1", "--factor=128", "--max-bytes=4M");
        // 8 B, 1 KiB, 128 KiB and, because it is the last, 4 MiB; of a barrier one point.
        assertEquals((15 * 4 + 1) * 2, points.size());
        for (JsonObject point : points) {
            assertEquals("process", point.getString("isolation"));
            assertEquals(2, point.getInteger("ranks"));
            assertEquals(4, point.getInteger("iterations"));
            assertTrue(point.getDouble("us") > 0, point::encode);
        }
    }

    @Test
    void shouldMeasureEachAlgorithmInPlaceOnThreeRanks() throws Exception {
        String[] sizes = {"--min-bytes=4K", "--max-bytes=4M", "--factor=1024"};
        List<JsonObject> points = measured(Stream.of(
                        Stream.of("-n=3", "--primitive=all_reduce", "--algorithm=all", "--in-place"), Stream.of(sizes))
                .flatMap(each -> each)
                .toArray(String[]::new));
        assertEquals(
                Stream.of(
                                "ring",
                                "recursive_doubling",
                                "rabenseifner",
                                "tree",
                                "double_tree",
                                "direct",
                                "direct_blocks",
                                "hierarchical")
                        .flatMap(algorithm -> Stream.of(algorithm, algorithm))
                        .toList(),
                points.stream().map(point -> point.getString("algorithm")).toList());
        points.forEach(point -> assertTrue(point.getBoolean("in_place"), point::encode));
    }

    @Test
    void shouldSayWhichMemberWasKilledAndLeaveNone() throws Exception {
        try (ParexProcess bench = start("-n=3", "--seconds=60", "--warmup=0")) {
            awaitMembers();
            // The members come in no order of their own, so any of the ranks.
            members().getFirst().destroyForcibly();
            assertTrue(
                    List.of(ExitCodes.CHECK_FAILED, ExitCodes.UNREACHABLE).contains(bench.exit()),
                    () -> bench.out() + bench.err());
            String said = bench.err().lines().reduce((first, last) -> last).orElseThrow();
            assertTrue(
                    said.matches("parex bench: the process of rank [012] ended with status 137 \\(signal 9\\).*"),
                    bench::err);
            assertEquals(List.of(), members());
        }
    }

    @Test
    void shouldLeaveNoMemberWhenItIsKilled() throws Exception {
        try (ParexProcess bench = start("-n=2", "--seconds=60", "--warmup=0")) {
            awaitMembers();
            bench.kill();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> members().isEmpty());
        }
    }

    private List<JsonObject> measured(String... options) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of(SHORT));
        try (ParexProcess bench = start(all.toArray(String[]::new))) {
            assertEquals(ExitCodes.GOOD, bench.exit(), () -> bench.out() + bench.err());
            List<JsonObject> points = bench.out().lines().map(JsonObject::new).toList();
            points.forEach(point -> assertEquals(0, point.getLong("wrong"), point::encode));
            assertEquals(List.of(), members());
            return points;
        }
    }

    private ParexProcess start(String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("bench"));
        arguments.addAll(List.of(options));
        return new ParexProcess(folder, Map.of("PAREX_JAVA_OPTS", mark), arguments.toArray(String[]::new));
    }

    private void awaitMembers() {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !members().isEmpty());
    }

    private List<ProcessHandle> members() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(mark) && line.endsWith(BenchMemberCommand.NAME))
                        .isPresent())
                .toList();
    }
}

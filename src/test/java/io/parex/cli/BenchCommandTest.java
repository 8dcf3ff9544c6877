package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In this JVM; {@link BenchIT} has ranks in processes of their own. */
class BenchCommandTest {
    private static final String[] SHORT = {
        "--max-bytes=1K", "--factor=128", "--warmup=0", "--iterations=4", "--rounds=1", "--timeout=20"
    };

    private static final List<String> EACH = List.of(
            "send",
            "send_recv",
            "barrier",
            "broadcast",
            "all_reduce",
            "scatter",
            "gather",
            "all_gather",
            "reduce",
            "reduce_scatter",
            "all_to_all",
            "scatter_v",
            "gather_v",
            "all_gather_v",
            "reduce_scatter_v",
            "all_to_all_v");

    private static final List<String> ROOTED =
            List.of("broadcast", "scatter", "gather", "reduce", "scatter_v", "gather_v");

    private static final List<String> CUT = List.of("scatter", "gather", "all_gather", "reduce_scatter", "all_to_all");

    @Test
    void shouldPrintTheColumnsOfNcclTests() {
        Invocation bench = bench("-n=2", "--primitive=all_reduce", "--algorithm=ring");
        assertEquals(ExitCodes.GOOD, bench.exit(), bench.err());
        List<String> lines = bench.out().lines().toList();
        String head =
                lines.stream().filter(line -> line.contains("size")).findFirst().orElseThrow();
        assertEquals(
                "# size count type redop root algorithm time algbw busbw #wrong p50 p99",
                head.strip().replaceAll("\\s+", " "));
        assertTrue(lines.getFirst().matches("# parex bench: commit \\S+, jdk 25\\S*"), lines.getFirst());
        List<String> rows = lines.stream().filter(line -> !line.startsWith("#")).toList();
        assertEquals(2, rows.size(), bench.out());
        assertTrue(rows.getLast()
                .matches("\\s+1024\\s+256\\s+float32\\s+sum\\s+-1\\s+ring(\\s+[\\d.]+){3}\\s+0(\\s+[\\d.]+){2}"));
        assertTrue(lines.contains("# Out of bounds values : 0 OK"), bench.out());
        assertTrue(lines.getLast().startsWith("# Avg bus bandwidth    : "), bench.out());
    }

    @Test
    void shouldPrintNothingButJsonLines() {
        Invocation bench = bench("-n=3", "--primitive=all", "--caller=both", "--json", "--root=1");
        assertEquals(ExitCodes.GOOD, bench.exit(), bench.err());
        List<String> seen = new ArrayList<>();
        bench.out().lines().map(JsonObject::new).forEach(json -> {
            assertEquals("schema", json.fieldNames().iterator().next());
            assertEquals(22, json.size());
            assertEquals("jvm", json.getString("isolation"));
            assertEquals(0, json.getLong("wrong"));
            boolean rooted = ROOTED.contains(json.getString("primitive"));
            assertEquals(rooted ? 1 : -1, json.getInteger("root"));
            seen.add(json.getString("primitive") + " " + json.getString("caller") + " " + json.getLong("bytes"));
        });
        List<String> expected = EACH.stream()
                .flatMap(primitive -> Stream.of("thread", "loop")
                        .flatMap(caller -> sizes(primitive).map(bytes -> primitive + " " + caller + " " + bytes)))
                .map(line -> line.startsWith("barrier") ? line.replaceAll(" \\d+$", " 0") : line)
                .distinct()
                .toList();
        assertEquals(expected, seen);
    }

    /** On three ranks: whole blocks, where they are equal. */
    private static Stream<Integer> sizes(String primitive) {
        return CUT.contains(primitive) ? Stream.of(12, 1020) : Stream.of(8, 1024);
    }

    /** In place and by every reduction that has whole results; wrong values end with another status. */
    @ParameterizedTest
    @ValueSource(strings = {"sum", "avg", "max", "product", "premul_sum"})
    void shouldMeasureAllInPlaceByEveryReduction(String op) {
        Invocation bench = bench("-n=3", "--primitive=all", "--in-place", "--json", "--op=" + op, "--root=2");
        assertEquals(ExitCodes.GOOD, bench.exit(), bench.err() + bench.out());
        bench.out().lines().map(JsonObject::new).forEach(json -> {
            boolean hasPlace = !List.of("send", "send_recv", "barrier").contains(json.getString("primitive"));
            assertEquals(hasPlace, json.getBoolean("in_place"), json.getString("primitive"));
            assertEquals(
                    json.getString("primitive").contains("reduce") ? op : "none",
                    json.getString("op"),
                    json.getString("primitive"));
        });
    }

    @Test
    void shouldMeasureEachAlgorithm() {
        Invocation bench = bench("-n=2", "--primitive=all_reduce,barrier", "--algorithm=all", "--json");
        assertEquals(
                List.of(
                        "ring",
                        "recursive_doubling",
                        "rabenseifner",
                        "tree",
                        "double_tree",
                        "direct",
                        "direct_blocks",
                        "hierarchical",
                        "dissemination"),
                bench.out()
                        .lines()
                        .map(line -> new JsonObject(line).getString("algorithm"))
                        .distinct()
                        .toList());
    }

    @Test
    void shouldFailOnAWrongValue() {
        assertEquals(ExitCodes.GOOD, BenchCommand.exitCode(0));
        assertEquals(ExitCodes.CHECK_FAILED, BenchCommand.exitCode(1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            --isolation=thread    | no isolation 'thread'; known: jvm, process
            --via=grpc            | --via grpc is not available in this release; available: fabric
            --via=shm             | --via shm is not available in this release; available: fabric
            --primitive=isend     | no primitive 'isend' to measure; known: send, recv, send_recv, barrier
            --algorithm=bush      | no algorithm 'bush' for all_reduce; known: ring, recursive_doubling
            --caller=nobody       | no caller 'nobody'; known: thread, loop, both
            --dtype=float31       | no data type 'float31'; known: bool, uint8
            --op=mean             | no reduction 'mean'; known: sum, avg
            --dtype=float8_e4m3   | sum of float8_e4m3 is not computed
            --min-bytes=2         | 2 bytes, does not hold one float32
            --min-bytes=0         | at least 1 byte
            --min-bytes=8X        | '8X' is not a size
            --max-bytes=4         | below the least
            --factor=1            | a factor of at least 2
            --root=2              | root 2 is not a rank of a world of 2
            --rounds=0            | at least 1 round
            --iterations=0        | --iterations must be at least 1
            --seconds=0           | a round cannot take
            --warmup=-1           | --warmup must be from 0
            --nonsense            | Unknown option
            """)
    void shouldRefuseWrongUsage(String option, String message) {
        assertRefused(message, Invocation.of("bench", "-n=2", option));
    }

    @Test
    void shouldRefuseWorldsThatCannotBe() {
        assertRefused("1 to 1024, not 0", Invocation.of("bench", "-n=0"));
        assertRefused("1 to 1024, not 1025", Invocation.of("bench", "-n=1025"));
        assertRefused("send needs at least 2 ranks", Invocation.of("bench", "-n=1", "--primitive=send"));
        assertRefused("", Invocation.of("bench", "-n=2", "--seconds=1", "--iterations=5"));
    }

    private static void assertRefused(String message, Invocation bench) {
        assertEquals(ExitCodes.USAGE, bench.exit(), bench.err());
        assertEquals("", bench.out());
        assertTrue(bench.err().startsWith("parex bench: "), bench.err());
        assertTrue(bench.err().contains(message), bench.err());
    }

    private static Invocation bench(String... options) {
        return Invocation.of(Stream.of(Stream.of("bench", "--isolation=jvm"), Stream.of(options), Stream.of(SHORT))
                .flatMap(each -> each)
                .toArray(String[]::new));
    }
}

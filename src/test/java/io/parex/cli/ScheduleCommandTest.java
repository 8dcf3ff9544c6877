package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleCommandTest {
    private static final Pattern PARTICIPANT = Pattern.compile("    participant r(\\d+) as rank (\\d+)");
    private static final Pattern ARROW = Pattern.compile("    r(\\d+)->>r(\\d+): [^#;]+");
    private static final Pattern NOTE = Pattern.compile("    Note over r(\\d+): (copy|reduce) [^#;]+");

    @Test
    void shouldPrintOneRank() {
        Invocation schedule = Invocation.of("schedule", "all_reduce", "ring", "-n", "3", "--rank", "1", "--count", "6");
        assertEquals(ExitCodes.GOOD, schedule.exit(), schedule.err());
        assertTrue(schedule.out().startsWith("all_reduce ring, rank 1 of 3"), schedule.out());
        assertTrue(schedule.out().contains("send to 2"), schedule.out());
        assertTrue(schedule.out().endsWith("\n"));
        assertEquals("", schedule.err());
    }

    @Test
    void shouldPrintAllRanks() {
        String out = Invocation.of("schedule", "broadcast", "binomial", "-n", "4", "--root", "2")
                .out();
        for (int rank = 0; rank < 4; rank++) {
            assertTrue(out.contains("broadcast binomial, rank " + rank + " of 4"), out);
        }
    }

    private static String format(String format, String arguments) {
        Invocation schedule = Invocation.of(("schedule " + arguments + " --format " + format).split(" +"));
        assertEquals(ExitCodes.GOOD, schedule.exit(), schedule.err());
        return schedule.out();
    }

    /** Participants come first, arrows join participants, and each message is drawn once. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "all_reduce ring -n 5",
                "all_reduce direct -n 4",
                "broadcast circulant -n 6",
                "barrier dissemination -n 3",
                "all_to_all bruck -n 4 --in-place",
                "all_reduce double_tree -n 7",
                "all_reduce ring -n 1"
            })
    void shouldDrawASequenceDiagram(String arguments) {
        List<String> lines = format("mermaid", arguments).lines().toList();
        assertEquals("sequenceDiagram", lines.getFirst());
        Set<String> participants = new HashSet<>();
        int arrows = 0;
        int notes = 0;
        for (String line : lines.subList(1, lines.size())) {
            Matcher participant = PARTICIPANT.matcher(line);
            Matcher arrow = ARROW.matcher(line);
            Matcher note = NOTE.matcher(line);
            if (participant.matches()) {
                assertEquals(participant.group(1), participant.group(2), line);
                assertEquals(0, arrows + notes, line);
                assertTrue(participants.add(participant.group(1)), line);
            } else if (arrow.matches()) {
                arrows++;
                assertTrue(participants.contains(arrow.group(1)) && participants.contains(arrow.group(2)), line);
                assertNotEquals(arrow.group(1), arrow.group(2), line);
            } else {
                assertTrue(note.matches() && participants.contains(note.group(1)), line);
                notes++;
            }
        }
        String table = format("table", arguments);
        assertEquals(count(table, " send to "), arrows, arguments);
        assertEquals(count(table, " copy ") + count(table, " reduce  "), notes, arguments);
    }

    private static long count(String table, String action) {
        return table.lines().filter(line -> line.contains(action)).count();
    }

    /** Of one rank all is drawn that it exchanges with others. */
    @Test
    void shouldDrawOneRank() {
        String out = format("mermaid", "all_reduce ring -n 3 --rank 1 --count 6");
        assertEquals(3, count(out, "participant "));
        assertEquals(4, count(out, "r1->>r2"), out);
        assertEquals(4, count(out, "r0->>r1"), out);
        assertEquals(0, count(out, "r2->>r0"), out);
    }

    @Test
    void shouldPrintJson() {
        String out = format("json", "all_reduce ring -n 3 --count 6");
        List<JsonObject> ranks = out.lines().map(JsonObject::new).toList();
        assertEquals(3, ranks.size());
        for (int rank = 0; rank < 3; rank++) {
            JsonObject schedule = ranks.get(rank);
            assertEquals(1, schedule.getInteger("schema"));
            assertEquals("all_reduce", schedule.getString("primitive"));
            assertEquals("ring", schedule.getString("algorithm"));
            assertEquals(rank, schedule.getInteger("rank"));
            assertEquals(3, schedule.getInteger("ranks"));
            assertTrue(schedule.getJsonArray("scratch").getJsonObject(0).getBoolean("pipe"));
            assertEquals(8, schedule.getJsonArray("steps").size());
        }
        JsonObject second = ranks.getFirst().getJsonArray("steps").getJsonObject(1);
        assertEquals("recv_reduce", second.getString("action"));
        assertEquals(2, second.getInteger("peer"));
        assertEquals("input", second.getJsonObject("own").getString("buffer"));
        assertEquals(2, second.getJsonObject("own").getInteger("length"));
        JsonObject third = ranks.getFirst().getJsonArray("steps").getJsonObject(2);
        assertEquals("send", third.getString("action"));
        assertEquals(1, third.getJsonArray("waits").getJsonObject(0).getInteger("step"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            send ring -n 2                | no primitive 'send' with algorithms; known: barrier, broadcast
            scatter binomial -n 3 --count 7 | --count must be a multiple of 3 for the algorithm 'binomial', not 7
            all_reduce bush -n 2          | no algorithm 'bush' for all_reduce; known: ring, recursive_doubling
            all_reduce ring -n 2 --rank 2 | --rank 2 is not a rank of a world of 2
            all_reduce ring -n 2 --root 9 | --root 9 is not a rank of a world of 2
            all_reduce ring -n 2 --count -1 | --count must be at least 0, not -1
            all_reduce ring -n 2 --format svg | no format 'svg'; known: table, mermaid, json
            all_reduce                    | Missing required parameter: 'ALGORITHM'
            """)
    void shouldRefuseWrongUsage(String arguments, String message) {
        Invocation schedule = Invocation.of(("schedule " + arguments).split(" +"));
        assertEquals(ExitCodes.USAGE, schedule.exit(), schedule.err());
        assertEquals("", schedule.out());
        assertTrue(schedule.err().contains(message), schedule.err());
    }
}
